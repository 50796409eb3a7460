import type { Contact, ContactEntry, ContactsFilter, ContactState } from '../api/contacts';

export const states: Record<ContactState, string> = {
  open: 'Open',
  waiting: 'Waiting for the person',
  answered: 'Answered',
  closed: 'Closed',
};
/** The topics as the contact form calls them. */
export const topics: Record<string, string> = {
  sales: 'Plans and prices',
  support: 'Help with an account',
  billing: 'Payments and invoices',
  partnership: 'Find a host, or be one',
  other: 'Something else',
};
export const topicKinds = Object.keys(topics) as NonNullable<ContactsFilter['topic']>[];
export const steps = Object.keys(states) as ContactState[];
export const tones = { open: 'danger', waiting: 'warning', answered: 'success', closed: 'primary' } as const;

/** Where a request may go, as pkg/contact/state.go allows it. */
export const next: Record<ContactState, ContactState[]> = {
  open: ['waiting', 'answered', 'closed'],
  waiting: ['open', 'answered', 'closed'],
  answered: ['open', 'waiting', 'closed'],
  closed: ['open'],
};

export const entryKinds: Record<ContactEntry['kind'], string> = {
  reply: 'Reply',
  answer: 'What the person answered',
  held: 'Held message of the person',
  note: 'Note for staff',
  auto: 'Automatic answer of a mailbox',
};

export const channels: Record<ContactEntry['channel'], string> = {
  form: 'contact form',
  account: 'account',
  email: 'e-mail',
  whatsapp: 'WhatsApp',
  staff: 'written by hand',
};

/** What is due, and whether its time is up. */
export function dueOf(contact: Contact, now: number): { text: string; late: boolean } | undefined {
  if (!contact.due_at) return undefined;
  const late = new Date(contact.due_at).getTime() < now;
  const what = contact.answered_at ? 'To be settled' : 'First answer due';
  return { text: late ? `${what}: overdue` : what, late };
}
