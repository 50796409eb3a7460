import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { ErrorState } from '@/ui/states';
import { formatDate } from '@/lib/format';
import { toast } from '@/lib/toast';
import { bookLockQuery, lockBooks, type BookLock } from '../api/help';
import { meQuery } from '../api/queries';
import { ActDialog } from '../shared/act-dialog';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';

/** Number of past months offered for a lock. */
const MONTHS = 24;

/** The month ends up to the given one, newest first. */
function monthEnds(last: string): string[] {
  const [year, month] = last.split('-').map(Number) as [number, number];
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10),
  );
}

const stateOf = (through: string | null) =>
  through ? `Books are locked up to ${formatDate(through)}` : 'Books are open: nothing is locked';

const options = (ends: string[]) => ends.map((day) => [day, formatDate(day)] as const);

interface DialogProps {
  lock: BookLock;
  onDone: (message: string) => void;
  onClose: () => void;
}

function LockDialog({ lock: { through, can_lock_through: last }, onDone, onClose }: DialogProps) {
  const ends = monthEnds(last).filter((day) => !through || day > through);
  return (
    <ReasonDialog
      title="Lock the books?"
      label={({ through: chosen }) => `Lock up to ${formatDate(chosen)}`}
      effect={({ through: chosen }) => (
        <p>
          No entry, invoice or credit note is dated up to {formatDate(chosen)} any more. Anything learned later is
          booked on the day after, with its true date beside it. Opening them again takes two admins.
        </p>
      )}
      suggestions={['The return of the month is filed', 'The month is closed']}
      values={{ through: ends[0] ?? '' }}
      act={(reason, _, { through: chosen }) => lockBooks(chosen, reason)}
      onDone={() => onDone('The books are locked.')}
      onClose={onClose}
    >
      <NativeSelectField name="through" label="Locked up to" options={options(ends)} />
    </ReasonDialog>
  );
}

/** Lets the user choose the months to open, then requests a second admin's approval. */
function OpenDialog({ lock: { through, can_lock_through: last }, onDone, onClose }: DialogProps) {
  const ends = monthEnds(last).filter((day) => through && day < through);
  const [asked, setAsked] = useState<{ to: string }>();
  const form = useAppForm({
    defaultValues: { to: ends[0] ?? '' },
    onSubmit: (typed: { to: string }) => setAsked(typed),
  });
  if (asked)
    return (
      <ActDialog
        content={{ kind: 'open_books', ...(asked.to && asked) }}
        who=""
        onDone={({ message }) => onDone(message)}
        onClose={onClose}
        onBack={() => setAsked(undefined)}
      />
    );
  return (
    <Modal open title="Open locked books again?" onClose={onClose}>
      <Form form={form} className="reason-form" summary={false}>
        <NativeSelectField name="to" label="Stays locked up to" options={[...options(ends), ['', 'Nothing']]} />
        <SubmitButton>Continue</SubmitButton>
      </Form>
    </Modal>
  );
}

/** The date up to which the books are locked, who locked them, and for admins the controls. */
export function BooksLock() {
  const me = useQuery(meQuery);
  const lock = useQuery(bookLockQuery);
  const [what, setWhat] = useState<'lock' | 'open'>();
  if (!lock.data)
    return lock.error ? (
      <ErrorState error={lock.error} onRetry={() => void lock.refetch()} what="the lock of the books" />
    ) : null;
  const { through, can_lock_through: last, history } = lock.data;
  const newest = history[0];
  const admin = me.data?.role === 'admin';
  const done = (message: string) => {
    setWhat(undefined);
    toast.success(message);
  };
  return (
    <section aria-labelledby="books-lock">
      <h2 id="books-lock">{stateOf(through)}</h2>
      {newest && (
        <p className="console-hint">
          Decided by {newest.by}, <When at={newest.at} now={lock.dataUpdatedAt} />: {newest.reason}
        </p>
      )}
      {admin && (
        <div className="entry-acts">
          {(!through || last > through) && (
            <Button variant="outline" size="sm" onClick={() => setWhat('lock')}>
              Lock the books
            </Button>
          )}
          {through && (
            <Button variant="outline" size="sm" onClick={() => setWhat('open')}>
              Open them again
            </Button>
          )}
        </div>
      )}
      {history.length > 1 && (
        <details className="entry-event">
          <summary>All {history.length} decisions</summary>
          <ul className="trail-list">
            {history.map((one) => (
              <li key={one.at}>
                {stateOf(one.through)}, says {one.by} <When at={one.at} now={lock.dataUpdatedAt} />: {one.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {what === 'lock' && <LockDialog lock={lock.data} onDone={done} onClose={() => setWhat(undefined)} />}
      {what === 'open' && <OpenDialog lock={lock.data} onDone={done} onClose={() => setWhat(undefined)} />}
    </section>
  );
}
