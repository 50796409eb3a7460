import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Button } from '@/components/button';
import { Badge } from '@/components/notice';
import { QueryStates } from '@/components/states';
import { formatMobile } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import {
  contactQuery,
  contactsKey,
  moveContact,
  type ContactEntry,
  type ContactOpened,
  type ContactState,
} from '../api/contacts';
import { useMay } from '../api/rights';
import { ContactOwner } from './contact-owner';
import { ContactReply } from './contact-reply';
import { Due } from './contact-row';
import { entryKinds, next, states, tones, topics } from './contact-words';
import { Presence } from './presence';
import { ReasonDialog } from './reason-dialog';
import { When } from './when';
import './customer-notes.scss';
import './support-customers.scss';

function Sent({ entry, now }: { entry: ContactEntry; now: number }) {
  if (entry.kind !== 'reply') return null;
  if (entry.sent_at)
    return (
      <span className="console-hint">
        sent <When at={entry.sent_at} now={now} />
      </span>
    );
  return entry.failure ? (
    <span className="console-error">not sent: {entry.failure}</span>
  ) : (
    <span className="console-hint">is being sent</span>
  );
}

function Thread({ opened: { request, entries }, now }: { opened: ContactOpened; now: number }) {
  return (
    <ol className="console-contacts contact-thread" aria-label="Thread">
      <li>
        <p>
          <strong>{request.name}</strong>{' '}
          <span className="console-hint">
            <When at={request.created_at} now={now} />
          </span>
        </p>
        <p className="console-message">{request.message}</p>
      </li>
      {entries.map((entry) => (
        <li key={entry.id} className={`contact-${entry.kind}`}>
          <p>
            <strong>{entryKinds[entry.kind]}</strong>{' '}
            <span className="console-hint">
              {entry.author} · <When at={entry.created_at} now={now} />
            </span>{' '}
            <Sent entry={entry} now={now} />
          </p>
          <p className="console-message">{entry.text}</p>
        </li>
      ))}
    </ol>
  );
}

function Who({ request }: Pick<ContactOpened, 'request'>) {
  return (
    <p>
      {request.email ? <a href={`mailto:${request.email}`}>{request.email}</a> : 'Erased'}
      {request.mobile && (
        <>
          {' '}
          ·{' '}
          <Link to={request.customer_id ? `/support/customers/${request.customer_id}` : `/support?q=${request.mobile}`}>
            {formatMobile(request.mobile)}
          </Link>
        </>
      )}
      {request.customer_id && (
        <>
          {' '}
          · Customer: <Link to={`/support/customers/${request.customer_id}`}>{request.customer}</Link>{' '}
          <span className="console-hint">
            {request.by_email
              ? '(proved this e-mail address: a reply reaches the customer)'
              : '(has this mobile number, which anybody could have typed: do not mention account details in a reply)'}
          </span>
        </>
      )}
    </p>
  );
}

interface LoadedProps {
  opened: ContactOpened;
  now: number;
  onChanged: () => void;
}

function Loaded({ opened, now, onChanged }: LoadedProps) {
  const [moving, setMoving] = useState<ContactState>();
  const mayAct = useMay('requests');
  const { request } = opened;
  return (
    <>
      <div className="contact-head">
        <h1>{request.name}</h1> <Badge tone={tones[request.state]}>{states[request.state]}</Badge>{' '}
        <span className="console-hint">{topics[request.topic]}</span> <Due contact={request} now={now} />
      </div>
      <Presence page={`contact:${request.id}`} />
      <Who request={request} />
      {mayAct ? (
        <ContactOwner opened={opened} onChanged={onChanged} />
      ) : (
        <p>Assigned to {request.owner || 'nobody'}.</p>
      )}
      <Thread opened={opened} now={now} />
      {mayAct && (
        <>
          <ContactReply opened={opened} onAdded={onChanged} />
          <div className="entry-acts">
            {next[request.state].map((to) => (
              <Button key={to} variant="outline" size="sm" onClick={() => setMoving(to)}>
                Set to {states[to].toLowerCase()}
              </Button>
            ))}
          </div>
        </>
      )}
      {moving && (
        <ReasonDialog
          title={`The request of ${request.name}`}
          effect={`It goes from “${states[request.state]}” to “${states[moving]}”.`}
          label={`Set to ${states[moving].toLowerCase()}`}
          suggestions={['Answered by phone', 'Needs no answer', 'Waiting for the person', 'Wrote again']}
          act={(reason) => moveContact(request.id, { state: moving, reason })}
          onDone={() => {
            setMoving(undefined);
            toast.success('Saved');
            onChanged();
          }}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  );
}

/** One contact request: who wrote, who sees to it, the thread, and the reply. */
export function ContactRequestPage() {
  const { id = '' } = useParams();
  const opened = useQuery(contactQuery(id));
  const queries = useQueryClient();
  usePageMeta({ title: opened.data ? `Request of ${opened.data.request.name}` : 'Contact request' });
  return (
    <>
      <p>
        <Link to="/support/contacts">Contact requests</Link>
      </p>
      <QueryStates query={opened} what="the request" lines={8} tellStale />
      {opened.data && (
        <Loaded
          key={id}
          opened={opened.data}
          now={opened.dataUpdatedAt}
          onChanged={() => void queries.invalidateQueries({ queryKey: contactsKey })}
        />
      )}
    </>
  );
}
