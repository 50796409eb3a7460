import { consent } from '@/content/consent';
import { api, envelope } from '@/lib/api/client';
import { reported } from '@/lib/api/reported';

/** `POST /newsletter`: subscribes to the newsletter, with the consent given for it. */
export function subscribe(email: string, signal: AbortSignal) {
  return reported(
    envelope(api.POST('/newsletter', { body: { email, consent: true, consent_version: consent.version }, signal })),
  );
}

/** `POST /newsletter/unsubscribe`: unsubscribes from the newsletter. */
export function unsubscribe(email: string, signal: AbortSignal) {
  return reported(envelope(api.POST('/newsletter/unsubscribe', { body: { email }, signal })));
}
