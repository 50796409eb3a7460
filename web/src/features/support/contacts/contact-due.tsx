import type { Contact } from '../api/contacts';
import { dueOf } from './contact-words';
import { When } from '../shared/when';

/** When a request is due, as a time and in words. */
export function Due({ contact, now }: { contact: Contact; now: number }) {
  const due = dueOf(contact, now);
  if (!due || !contact.due_at) return null;
  return (
    <span className={due.late ? 'console-error' : 'console-hint'}>
      {due.text} (<When at={contact.due_at} now={now} />)
    </span>
  );
}
