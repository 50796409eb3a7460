import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Badge } from '@/ui/notice';
import { contactsQuery } from '../api/contacts';
import { states, tones, topics } from '../contacts/contact-words';
import { When } from '../shared/when';

/** The newest contact requests that name the customer; renders nothing if the list is empty. */
export function CustomerContacts({ id, now }: { id: string; now: number }) {
  const list = useQuery(contactsQuery({ page: 1, customer: id })).data;
  if (!list || list.total === 0) return null;
  return (
    <section aria-labelledby="customer-contacts">
      <h2 id="customer-contacts">Contact requests</h2>
      <ul className="console-contacts">
        {list.data.map((one) => (
          <li key={one.id}>
            <Link to={`/support/contacts/${one.id}`}>{one.message.slice(0, 80)}</Link>{' '}
            <Badge tone={tones[one.state]}>{states[one.state]}</Badge>{' '}
            <span className="console-hint">
              {topics[one.topic]} · <When at={one.created_at} now={now} /> ·{' '}
              {one.owner ? `Assigned to ${one.owner}` : 'Unassigned'}
            </span>
          </li>
        ))}
      </ul>
      {list.total > list.data.length && (
        <p>
          <Link to={`/support/contacts?customer=${id}`}>All {list.total} requests</Link>
        </p>
      )}
    </section>
  );
}
