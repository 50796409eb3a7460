import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Badge } from '@/components/notice';
import { formatMobile } from '@/lib/format';
import { moveContact, type Contact, type ContactStatus } from '../api/customers';
import { ReasonDialog } from './reason-dialog';
import { When } from './when';

export const statuses: Record<ContactStatus, string> = { open: 'Open', in_progress: 'In progress', done: 'Done' };
export const steps: ContactStatus[] = ['open', 'in_progress', 'done'];
const tones = { open: 'danger', in_progress: 'warning', done: 'success' } as const;

export interface Move {
  contact: Contact;
  to: ContactStatus;
}

export function MoveDialog({
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

export function Request({
  contact,
  now,
  onMove,
}: {
  contact: Contact;
  now: number;
  /** Absent for whoever only reads. */
  onMove?: ((to: ContactStatus) => void) | undefined;
}) {
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
      {onMove && (
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
      )}
    </li>
  );
}
