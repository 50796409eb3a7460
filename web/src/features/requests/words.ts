import { t } from '@lingui/core/macro';
import type { Tone } from '@/ui/notice';
import type { RequestMessage, RequestRow, RequestState } from './api/requests';

/** The states as the customer sees them. */
export const stateWords: Record<RequestState, string> = {
  open: t`Waiting for us`,
  waiting: t`Waiting for you`,
  answered: t`Answered`,
  closed: t`Closed`,
};

export const stateTones: Record<RequestState, Tone> = {
  open: 'info',
  waiting: 'warning',
  answered: 'success',
  closed: 'success',
};

export const topicWords: Record<RequestRow['topic'], string> = {
  sales: t`Plans and prices`,
  support: t`Help with my account`,
  billing: t`Payments and invoices`,
  partnership: t`Find a host, or be one`,
  other: t`Something else`,
};

export const channelWords: Record<RequestMessage['channel'], string> = {
  form: t`by the contact form`,
  account: t`in your account`,
  email: t`by e-mail`,
  whatsapp: t`by WhatsApp`,
  staff: t`on the phone`,
};
