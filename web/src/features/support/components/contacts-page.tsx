import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { contactsKey, contactsQuery } from '../api/customers';
import { useMay } from '../api/rights';
import { MoveDialog, Request, type Move } from './contact-request';
import { ContactsFilters, useContactsFilter } from './contacts-filters';
import { SavedViews } from './saved-views';
import './support-customers.scss';

/** Visitors' messages, newest first, each with its status and the reply. */
export function ContactsPage() {
  usePageMeta({ title: 'Contact requests' });
  const { filter, narrowed, typed, setTyped, narrow } = useContactsFilter();
  const [moving, setMoving] = useState<Move>();
  const queries = useQueryClient();
  const contacts = useQuery({ ...contactsQuery(filter), placeholderData: keepPreviousData });
  const list = contacts.data;
  const mayAct = useMay('help');
  return (
    <>
      <div className="console-bar">
        <h1>Contact requests</h1>
        <ContactsFilters filter={filter} typed={typed} onNarrow={narrow} onType={setTyped} />
      </div>
      <SavedViews list="contacts" />
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
              <Request
                key={contact.id}
                contact={contact}
                now={contacts.dataUpdatedAt}
                onMove={mayAct ? (to) => setMoving({ contact, to }) : undefined}
              />
            ))}
          </ul>
          <Pagination label="Pages of requests" current={list.current_page} last={list.last_page} />
        </>
      )}
      {moving && (
        <MoveDialog
          move={moving}
          onClose={() => setMoving(undefined)}
          onDone={() => {
            setMoving(undefined);
            toast.success('Saved');
            void queries.invalidateQueries({ queryKey: contactsKey });
          }}
        />
      )}
    </>
  );
}
