import { Link } from 'react-router';
import { Badge } from '@/components/notice';
import type { Contact } from '../api/contacts';
import { dueOf, states, tones, topics } from './contact-words';
import { Lookers } from './presence';
import { When } from './when';

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

/** One request in the list. */
export function ContactRow({ contact, now, lookers }: { contact: Contact; now: number; lookers: string }) {
  return (
    <li>
      <div className="contact-head">
        <h2>
          <Link to={`/support/contacts/${contact.id}`}>{contact.name}</Link>
        </h2>{' '}
        <Badge tone={tones[contact.state]}>{states[contact.state]}</Badge>{' '}
        <span className="console-hint">
          {topics[contact.topic]} · <When at={contact.created_at} now={now} /> ·{' '}
          {contact.mine ? 'Assigned to you' : contact.owner ? `Assigned to ${contact.owner}` : 'Unassigned'}
        </span>
      </div>
      <Due contact={contact} now={now} />
      {contact.customer_id && (
        <p>
          Customer: <Link to={`/support/customers/${contact.customer_id}`}>{contact.customer}</Link>
        </p>
      )}
      <p className="console-message contact-short">{contact.message}</p>
      <Lookers who={lookers} />
    </li>
  );
}
