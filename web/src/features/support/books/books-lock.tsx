import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { ErrorState } from '@/ui/states';
import { formatDate } from '@/lib/format';
import { bookLockQuery, lockBooks, type BookLock } from '../api/help';
import { meQuery } from '../api/queries';
import { ActFieldsDialog } from '../shared/act-dialog';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

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
  onClose: () => void;
}

function LockDialog({ lock: { through, can_lock_through: last }, onClose }: DialogProps) {
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
      said="The books are locked."
      onClose={onClose}
    >
      <NativeSelectField name="through" label="Locked up to" options={options(ends)} />
    </ReasonDialog>
  );
}

/** Lets the user choose the months to open, then requests a second admin's approval. */
function OpenDialog({ lock: { through, can_lock_through: last }, onClose }: DialogProps) {
  const ends = monthEnds(last).filter((day) => through && day < through);
  return (
    <ActFieldsDialog
      kind="open_books"
      who=""
      title="Open locked books again?"
      values={{ to: ends[0] ?? '' }}
      contentOf={(typed) => (typed.to ? typed : {})}
      effect={null}
      label="Continue"
      onClose={onClose}
    >
      <NativeSelectField name="to" label="Stays locked up to" options={[...options(ends), ['', 'Nothing']]} />
    </ActFieldsDialog>
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
          {(!through || last > through) && <Offer onClick={() => setWhat('lock')}>Lock the books</Offer>}
          {through && <Offer onClick={() => setWhat('open')}>Open them again</Offer>}
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
      {what === 'lock' && <LockDialog lock={lock.data} onClose={() => setWhat(undefined)} />}
      {what === 'open' && <OpenDialog lock={lock.data} onClose={() => setWhat(undefined)} />}
    </section>
  );
}
