import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/button';
import { ErrorState, Loading } from '@/components/states';
import { formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { contactsQuery } from '../api/queries';
import { moveContact, type Contact, type ContactStatus } from '../api/support';
import { ReasonDialog } from './reason-dialog';

const steps: ContactStatus[] = ['new', 'open', 'answered', 'closed'];

/** What visitors wrote, newest first, each with how far it has come. */
export function ContactsPage() {
  usePageMeta({ title: 'Contact requests' });
  const [page, setPage] = useState(1);
  const [moving, setMoving] = useState<{ contact: Contact; to: ContactStatus }>();
  const queries = useQueryClient();
  const contacts = useQuery(contactsQuery(page));
  if (contacts.error) return <ErrorState error={contacts.error} onRetry={() => void contacts.refetch()} what="the requests" />;
  if (!contacts.data) return <Loading what="the requests">{null}</Loading>;
  const { data: list, total, last_page: last } = contacts.data;
  return (
    <>
      <div className="console-bar">
        <h1>Contact requests</h1>
        <span role="status">{total} {total === 1 ? 'request' : 'requests'}</span>
      </div>
      {list.length === 0 && <p>Nobody has written yet.</p>}
      <ul className="console-contacts">
        {list.map((contact) => (
          <li key={contact.id}>
            <h2>{contact.name} · {contact.topic}</h2>
            <p>{contact.email} {contact.mobile} · {formatInstant(contact.created_at)}</p>
            <p className="console-message">{contact.message}</p>
            <label htmlFor={`status-${contact.id}`}>Status</label>
            <select id={`status-${contact.id}`} className="input" value={contact.status} onChange={(event) => { const to = steps.find((step) => step === event.target.value); if (to) setMoving({ contact, to }); }}>
              {steps.map((step) => <option key={step}>{step}</option>)}
            </select>
          </li>
        ))}
      </ul>
      {last > 1 && (
        <div className="console-bar">
          <Button variant="outline" size="sm" onClick={() => setPage(Math.max(1, page - 1))}>Previous</Button>
          <span>Page {page} of {last}</span>
          <Button variant="outline" size="sm" onClick={() => setPage(Math.min(last, page + 1))}>Next</Button>
        </div>
      )}
      {moving && (
        <ReasonDialog title={`Move the request of ${moving.contact.name}`} effect={`It goes from ${moving.contact.status} to ${moving.to}.`} label={`Move to ${moving.to}`}
          act={(reason) => moveContact(moving.contact.id, { status: moving.to, reason })} onClose={() => setMoving(undefined)}
          onDone={() => { setMoving(undefined); void queries.invalidateQueries({ queryKey: contactsQuery(page).queryKey }); }} />
      )}
    </>
  );
}
