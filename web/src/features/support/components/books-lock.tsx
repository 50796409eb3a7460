import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/button';
import { ErrorState } from '@/components/states';
import { formatDate } from '@/lib/format';
import { toast } from '@/lib/toast';
import { bookLockQuery, lockBooks, type BookLock } from '../api/help';
import { meQuery } from '../api/queries';
import { ReasonDialog } from './reason-dialog';
import { When } from './when';

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

interface DialogProps {
  lock: BookLock;
  what: 'lock' | 'unlock';
  onDone: () => void;
  onClose: () => void;
}

function LockDialog({ lock: { through, can_lock_through: last }, what, onDone, onClose }: DialogProps) {
  const ends = monthEnds(last).filter((day) =>
    what === 'lock' ? !through || day > through : through && day < through,
  );
  const [chosen, setChosen] = useState(ends[0] ?? '');
  const to = chosen ? formatDate(chosen) : '';
  return (
    <ReasonDialog
      title={what === 'lock' ? 'Lock the books?' : 'Open locked books again?'}
      label={what === 'lock' ? `Lock up to ${to}` : chosen ? `Open after ${to}` : 'Open all of them'}
      effect={
        <p>
          {what === 'lock'
            ? `No entry, invoice or credit note is dated up to ${to} any more. Anything learned later is booked on the day after, with its true date beside it.`
            : 'Entries can be dated there again, in months that may be filed already. The audit trail keeps that you opened them, and why.'}
        </p>
      }
      suggestions={
        what === 'lock'
          ? ['The return of the month is filed', 'The month is closed']
          : ['A filed month is amended', 'Locked too early']
      }
      act={(reason) => lockBooks(what, chosen || null, reason)}
      onDone={onDone}
      onClose={onClose}
    >
      <label htmlFor="books-through">{what === 'lock' ? 'Locked up to' : 'Stays locked up to'}</label>
      <select id="books-through" className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {ends.map((day) => (
          <option key={day} value={day}>
            {formatDate(day)}
          </option>
        ))}
        {what === 'unlock' && <option value="">Nothing</option>}
      </select>
    </ReasonDialog>
  );
}

/** The date up to which the books are locked, who locked them, and for admins the controls. */
export function BooksLock() {
  const me = useQuery(meQuery);
  const lock = useQuery(bookLockQuery);
  const client = useQueryClient();
  const [what, setWhat] = useState<'lock' | 'unlock'>();
  if (!lock.data)
    return lock.error ? (
      <ErrorState error={lock.error} onRetry={() => void lock.refetch()} what="the lock of the books" />
    ) : null;
  const { through, can_lock_through: last, history } = lock.data;
  const newest = history[0];
  const admin = me.data?.role === 'admin';
  const done = () => {
    setWhat(undefined);
    toast.success(what === 'lock' ? 'The books are locked.' : 'The books are open again.');
    void client.invalidateQueries({ queryKey: bookLockQuery.queryKey });
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
            <Button variant="outline" size="sm" onClick={() => setWhat('unlock')}>
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
      {what && <LockDialog lock={lock.data} what={what} onDone={done} onClose={() => setWhat(undefined)} />}
    </section>
  );
}
