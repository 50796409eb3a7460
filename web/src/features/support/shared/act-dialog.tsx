import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { Table } from '@/ui/list/table';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { ApiError } from '@/lib/api/errors';
import { actPreviewQuery, askAct, type ActContent, type StaffAct } from '../api/acts';
import { actWords } from '../staff/act-words';
import { ReasonDialog } from './reason-dialog';

/** An act's facts as names and values; a fact named "… today" shares a row with its "… after". */
export function ActFacts({ facts }: { facts: StaffAct['facts'] }) {
  const today = facts.filter(({ name }) => facts.some((other) => other.name === afterOf(name)));
  const rest = facts.filter(({ name }) => !today.some((one) => one.name === name || afterOf(one.name) === name));
  return (
    <>
      {today.length > 0 && (
        <Table
          className="table act-compared"
          caption="Today and after"
          rows={today}
          rowKey={({ name }) => name}
          columns={[
            { label: '', cell: ({ name }) => name.replace(/ today$/, '') },
            { label: 'Today', cell: ({ value }) => value },
            { label: 'After', cell: ({ name }) => facts.find((other) => other.name === afterOf(name))?.value },
          ]}
        />
      )}
      <dl className="entry-details act-facts">
        {rest.map(({ name, value }, index) => (
          // The list is a stored record, so its order never changes.
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The "after" name that pairs with a "today" fact. */
const afterOf = (name: string) => (name.endsWith(' today') ? name.replace(/ today$/, ' after') : '');

export interface ActDialogProps {
  content: ActContent;
  /** Whom it is for; empty for many. */
  who: string;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
  /** Returns to the form that opened the dialog, so that the user can correct it. */
  onBack?: () => void;
}

/** Previews an act, and requests it with a reason. */
export function ActDialog({ content, who, onDone, onClose, onBack }: ActDialogProps) {
  const [key] = useState(newIdempotencyKey);
  const preview = useQuery(actPreviewQuery(content));
  const { title, effect, usual } = actWords[content.kind];
  const whole = who ? `${title}: ${who}` : title;
  const refusal = ({ status, message }: ApiError) =>
    (status === 409 || status === 422) && (
      <>
        <p role="alert" className="console-error">
          {message}
        </p>
        {onBack && (
          <Button variant="outline" onClick={onBack}>
            Back
          </Button>
        )}
      </>
    );
  if (!preview.data)
    return (
      <Modal open title={whole} onClose={onClose} closeOnBackdrop={false}>
        <Async query={preview} what="what it would do" explained={refusal} />
      </Modal>
    );
  const { facts, needs_approval: two } = preview.data;
  return (
    <ReasonDialog
      title={whole}
      effect={
        <>
          <p>{effect}</p>
          <ActFacts facts={facts} />
          <p>{two ? 'A second admin has to approve it.' : 'It is done at once.'} It happens once.</p>
        </>
      }
      label={two ? 'Ask for it' : title}
      suggestions={usual}
      act={(reason) => askAct(content, reason, key)}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
