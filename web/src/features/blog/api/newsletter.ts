import { useMutation } from '@tanstack/react-query';
import { consent } from '@/content/consent';
import { api, envelope } from '@/lib/api/client';

/** `POST /newsletter`: requests a subscription, with the consent to it. */
export function subscribe(email: string, signal: AbortSignal) {
  return envelope(
    api.POST('/newsletter', { body: { email, consent: true, consent_version: consent.version }, signal }),
  );
}

/** `POST /newsletter/unsubscribe`: requests an unsubscribe link. */
export function unsubscribe(email: string, signal: AbortSignal) {
  return envelope(api.POST('/newsletter/unsubscribe', { body: { email }, signal }));
}

/** `POST /newsletter/confirm`: starts the newsletter with the token of the e-mail. */
export function confirmNewsletter(token: string) {
  return envelope(api.POST('/newsletter/confirm', { body: { token } }));
}

/** `POST /newsletter/unsubscribe/{token}`: leaves the newsletter with the token of an issue. */
export function leaveNewsletter(token: string) {
  return envelope(
    api.POST('/newsletter/unsubscribe/{token}', {
      params: { path: { token } },
      body: { 'List-Unsubscribe': 'One-Click' },
      bodySerializer: (body) => new URLSearchParams(body),
    }),
  );
}

/** Acts on the token of a link. The page shows what went wrong. */
export const useNewsletterLink = (act: (token: string) => Promise<{ message: string }>) =>
  useMutation({ mutationFn: act });
