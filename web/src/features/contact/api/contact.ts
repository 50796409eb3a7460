import { consent } from '@/content/consent';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

export type ContactTopic = NonNullable<components['schemas']['ContactRequest']['topic']>;

export interface ContactMessage {
  name: string;
  email: string;
  mobile: string;
  topic: ContactTopic;
  message: string;
}

/** `POST /contact`: sends a message to the support console. */
export function sendContactRequest({ mobile, ...rest }: ContactMessage, signal: AbortSignal) {
  const body = { ...rest, ...(mobile ? { mobile } : {}), consent: true as const, consent_version: consent.version };
  return envelope(api.POST('/contact', { body, signal }));
}
