import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { contactCountsQuery, contactsQuery } from '../api/contacts';
import { useMay } from '../api/rights';
import { ContactRow } from './contact-row';
import { ContactsFilters, useContactsFilter } from './contacts-filters';
import { useLookers } from './presence';
import { SavedViews } from './saved-views';
import './support-customers.scss';

/** Visitors' messages, newest first, each with its state, its owner and when it is due. */
export function ContactsPage() {
  usePageMeta({ title: 'Contact requests' });
  const ops = useMay('ops');
  const { filter, narrowed, narrow } = useContactsFilter();
  const contacts = useQuery({ ...contactsQuery(filter), placeholderData: keepPreviousData });
  const counts = useQuery(contactCountsQuery).data;
  const list = contacts.data;
  const linkOf = (id: string) => `/support/contacts/${id}`;
  const lookersAt = useLookers((list?.data ?? []).map(({ id }) => linkOf(id)));
  return (
    <>
      <div className="console-bar">
        <h1>Contact requests</h1>
        <ContactsFilters overdue={filter.overdue ?? false} onNarrow={narrow} counts={counts} />
        {ops && <Link to="/support/contact-macros">Saved replies</Link>}
      </div>
      {ops && <SavedViews list="contacts" />}
      <QueryStates query={contacts} what="the requests" lines={8} />
      {list && (
        <>
          <p role="status" className="console-hint">
            {list.total} {list.total === 1 ? 'request' : 'requests'}
          </p>
          {list.data.length === 0 && (
            <EmptyState title="Nothing here">
              {narrowed
                ? 'No request fits these filters.'
                : 'What visitors write through the site’s contact page arrives here.'}
            </EmptyState>
          )}
          <ul className="console-contacts">
            {list.data.map((contact) => (
              <ContactRow
                key={contact.id}
                contact={contact}
                now={contacts.dataUpdatedAt}
                lookers={lookersAt(linkOf(contact.id))}
              />
            ))}
          </ul>
          <Pagination label="Pages of requests" current={list.current_page} last={list.last_page} />
        </>
      )}
    </>
  );
}
