import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Badge } from '@/ui/notice';
import { Async } from '@/ui/states';
import { FileButton } from '@/domain/file-button';
import { formatMobile } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import {
  contactFile,
  contactQuery,
  moveContact,
  type ContactEntry,
  type ContactOpened,
  type ContactState,
} from '../api/contacts';
import { useMay } from '../api/rights';
import { ContactOwner } from './contact-owner';
import { ContactReply } from './contact-reply';
import { Due } from './contact-due';
import { channels, entryKinds, next, states, tones, topics } from './contact-words';
import { Presence } from '../shell/presence';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import { count } from '../shared/count';
import { Missing } from '../shared/missing';
import '../customers/customer-notes.scss';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

function Sent({ entry, now }: { entry: ContactEntry; now: number }) {
  if (entry.kind !== 'reply') return null;
  if (entry.sent_at)
    return (
      <span className="console-hint">
        sent <When at={entry.sent_at} now={now} />
        {entry.failure && ` by ${channels[entry.channel]}, because ${entry.failure}`}
      </span>
    );
  return entry.failure ? (
    <span className="console-error">not sent: {entry.failure}</span>
  ) : (
    <span className="console-hint">is being sent</span>
  );
}

/** Who wrote an entry: the person by name, unless staff noted what they said. */
function titleOf(entry: ContactEntry, name: string): string {
  if (entry.kind === 'answer' && entry.channel !== 'staff') return entry.sender ? 'Somebody' : name;
  return entry.kind === 'reply' && !entry.author ? 'Automatic reply' : entryKinds[entry.kind];
}

function Held({ entries }: Pick<ContactOpened, 'entries'>) {
  const held = entries.filter((entry) => entry.kind === 'held').length;
  if (held === 0) return null;
  return (
    <p className="console-error">
      {count(held, 'message is held', 'messages are held')}: too many came within an hour, perhaps from a program. The
      person sees them in the account. While the request is open, held messages do not mark it as changed.
    </p>
  );
}

function Thread({ opened: { request, entries }, now }: { opened: ContactOpened; now: number }) {
  return (
    <ol className="console-contacts contact-thread" aria-label="Thread">
      {entries.map((entry) => (
        <li key={entry.id} className={`contact-${entry.kind}`}>
          <p>
            <strong>{titleOf(entry, request.name)}</strong>{' '}
            <span className="console-hint">
              {entry.author && `${entry.author} · `}
              {entry.kind !== 'note' && `${channels[entry.channel]} · `}
              <When at={entry.created_at} now={now} />
            </span>{' '}
            <Sent entry={entry} now={now} />
          </p>
          {entry.sender && (
            <p className="console-error">
              From {entry.sender}, which is not the address of this request: anybody could have written it.
            </p>
          )}
          <p className="console-message">{entry.text}</p>
          {entry.quoted && (
            <details>
              <summary>Quoted messages</summary>
              <p className="console-message">{entry.quoted}</p>
            </details>
          )}
          {entry.files.length > 0 && (
            <ul className="entry-acts" aria-label="Files">
              {entry.files.map((file) => (
                <li key={file.id}>
                  <FileButton name={file.name} fetch={() => contactFile(request.id, file)} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function Who({ request }: Pick<ContactOpened, 'request'>) {
  return (
    <p>
      {request.email ? <a href={`mailto:${request.email}`}>{request.email}</a> : 'No e-mail address'}
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
          · {request.proved ? 'Customer' : 'Perhaps the customer'}:{' '}
          <Link to={`/support/customers/${request.customer_id}`}>{request.customer}</Link>{' '}
          <span className="console-hint">
            {request.proved
              ? '(wrote signed in, from the account’s mobile, or from its proved address)'
              : request.by_email
                ? '(proved this e-mail address: a reply reaches the customer)'
                : '(has this mobile number, which anybody could have typed: do not mention account details in a reply)'}
          </span>
        </>
      )}
    </p>
  );
}

interface RequestProps {
  opened: ContactOpened;
  now: number;
}

function Request({ opened, now }: RequestProps) {
  const [moving, setMoving] = useState<ContactState>();
  const mayAct = useMay('requests');
  const { request } = opened;
  return (
    <>
      <div className="contact-head">
        <h1>{request.name}</h1> <Badge tone={tones[request.state]}>{states[request.state]}</Badge>{' '}
        {request.priority && <Badge tone="gold">Priority support</Badge>}{' '}
        <span className="console-hint">{topics[request.topic]}</span> <Due contact={request} now={now} />
      </div>
      <Presence page={`contact:${request.id}`} />
      <Who request={request} />
      {mayAct ? <ContactOwner opened={opened} /> : <p>Assigned to {request.owner || 'nobody'}.</p>}
      <Held entries={opened.entries} />
      <Thread opened={opened} now={now} />
      {mayAct && (
        <>
          <ContactReply opened={opened} now={now} />
          <div className="entry-acts">
            {next[request.state].map((to) => (
              <Offer key={to} onClick={() => setMoving(to)}>
                Set to {states[to].toLowerCase()}
              </Offer>
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
          said="Saved"
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
  usePageMeta({ title: opened.data ? `Request of ${opened.data.request.name}` : 'Contact request' });
  return (
    <>
      <p>
        <Link to="/support/contacts">Contact requests</Link>
      </p>
      <Async
        query={opened}
        what="the request"
        lines={8}
        tellStale
        missing={<Missing what="contact request" to="/support/contacts" label="Contact requests" />}
      />
      {opened.data && <Request key={id} opened={opened.data} now={opened.dataUpdatedAt} />}
    </>
  );
}
