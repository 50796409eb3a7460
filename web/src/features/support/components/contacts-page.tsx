import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Badge } from '@/components/notice';
import { Pagination } from '@/components/pagination';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/components/states';
import { formatMobile } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { useDebounced } from '@/lib/use-debounced';
import {
  contactsKey,
  contactsQuery,
  moveContact,
  type Contact,
  type ContactsFilter,
  type ContactStatus,
} from '../api/customers';
import { ReasonDialog } from './reason-dialog';
import { When } from './when';
import './support-customers.scss';

const statuses: Record<ContactStatus, string> = { open: 'Open', in_progress: 'In progress', done: 'Done' };
const steps: ContactStatus[] = ['open', 'in_progress', 'done'];
const topics = ['sales', 'support', 'billing', 'partnership', 'other'] as const;
const tones = { open: 'danger', in_progress: 'warning', done: 'success' } as const;

interface Move {
  contact: Contact;
  to: ContactStatus;
}

function MoveDialog({
  move: { contact, to },
  onDone,
  onClose,
}: {
  move: Move;
  onDone: () => void;
  onClose: () => void;
}) {
  const [note, setNote] = useState(contact.reply_note);
  return (
    <ReasonDialog
      title={`The request of ${contact.name}`}
      effect={`It goes from “${statuses[contact.status]}” to “${statuses[to]}”.`}
      label={to === contact.status ? 'Save the note' : `Set to ${statuses[to].toLowerCase()}`}
      suggestions={
        to === 'done'
          ? ['Answered by e-mail', 'Answered by phone', 'Needs no answer']
          : ['I am on it', 'Waiting for the customer']
      }
      act={(reason) => moveContact(contact.id, { status: to, note, reason })}
      onDone={onDone}
      onClose={onClose}
    >
      <label htmlFor="contact-note">What was answered</label>
      <textarea
        id="contact-note"
        className="input"
        rows={3}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </ReasonDialog>
  );
}

function Request({ contact, now, onMove }: { contact: Contact; now: number; onMove: (to: ContactStatus) => void }) {
  const c = contact;
  return (
    <li>
      <div className="contact-head">
        <h2>{c.name}</h2> <Badge tone={tones[c.status]}>{statuses[c.status]}</Badge>{' '}
        <span className="console-hint">
          {c.topic} · <When at={c.created_at} now={now} />
        </span>
      </div>
      <p>
        <a href={`mailto:${c.email}`}>{c.email}</a>
        {c.mobile && (
          <>
            {' '}
            · <Link to={`/support?q=${c.mobile}`}>{formatMobile(c.mobile)}</Link>
          </>
        )}
      </p>
      <p className="console-message">{c.message}</p>
      {c.reply_note && (
        <p className="contact-note">
          <strong>Answered{c.handled_by && ` by ${c.handled_by}`}:</strong> {c.reply_note}
        </p>
      )}
      <div className="entry-acts">
        {steps
          .filter((step) => step !== c.status)
          .map((step) => (
            <Button key={step} variant="outline" size="sm" onClick={() => onMove(step)}>
              {statuses[step]}
              <span className="visually-hidden"> for the request of {c.name}</span>
            </Button>
          ))}
        <Button variant="quiet" size="sm" onClick={() => onMove(c.status)}>
          Note<span className="visually-hidden"> on the request of {c.name}</span>
        </Button>
      </div>
    </li>
  );
}

/** What visitors wrote, newest first, each with how far it has come and what was answered. */
export function ContactsPage() {
  usePageMeta({ title: 'Contact requests' });
  const [params, setParams] = useSearchParams();
  const [moving, setMoving] = useState<Move>();
  const [typed, setTyped] = useState(params.get('search') ?? '');
  const queries = useQueryClient();
  const search = useDebounced(typed.trim(), 200);
  const narrow = (name: string, value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        before.delete('page');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  useEffect(() => {
    setParams(
      (before) => {
        if ((before.get('search') ?? '') === search) return before;
        before.delete('page');
        if (search) before.set('search', search);
        else before.delete('search');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [search, setParams]);
  const status = steps.find((one) => one === params.get('status'));
  const topic = topics.find((one) => one === params.get('topic'));
  const filter: ContactsFilter = {
    page: Math.max(1, Number(params.get('page')) || 1),
    ...(status && { status }),
    ...(topic && { topic }),
    ...(search && { search }),
  };
  const contacts = useQuery({ ...contactsQuery(filter), placeholderData: keepPreviousData });
  const list = contacts.data;
  return (
    <>
      <div className="console-bar">
        <h1>Contact requests</h1>
        <label htmlFor="contact-status">Status</label>
        <select
          id="contact-status"
          className="input"
          value={status ?? ''}
          onChange={(event) => narrow('status', event.target.value)}
        >
          <option value="">All</option>
          {steps.map((step) => (
            <option key={step} value={step}>
              {statuses[step]}
            </option>
          ))}
        </select>
        <label htmlFor="contact-topic">Topic</label>
        <select
          id="contact-topic"
          className="input"
          value={topic ?? ''}
          onChange={(event) => narrow('topic', event.target.value)}
        >
          <option value="">All</option>
          {topics.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <label htmlFor="contact-search">Who</label>
        <input
          id="contact-search"
          className="input"
          type="search"
          maxLength={100}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {!list && contacts.error && (
        <ErrorState error={contacts.error} onRetry={() => void contacts.refetch()} what="the requests" />
      )}
      {contacts.isPending && (
        <Loading what="the requests">
          <Skeleton lines={8} />
        </Loading>
      )}
      {list && (
        <>
          <p role="status" className="console-hint">
            {list.total} {list.total === 1 ? 'request' : 'requests'}
          </p>
          {list.data.length === 0 && (
            <EmptyState title="Nothing here">
              {(status ?? topic ?? search)
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
                onMove={(to) => setMoving({ contact, to })}
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
