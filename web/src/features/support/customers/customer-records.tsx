import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { Badge } from '@/ui/notice';
import { Async } from '@/ui/states';
import { formatDay } from '@/lib/format';
import { recordsQuery, type TimelineEntry } from '../api/customers';
import type { EntryActs } from './customer-entry';
import { rupees, statusName, toneOf } from './customer-words';

/** The records shown before "Show all". */
const FEW = 4;

const amountOf = ({ details: d }: TimelineEntry) =>
  Number(d.total_paise ?? d.captured_paise ?? d.due_paise ?? d.amount_paise ?? 0);

interface RecordsProps {
  title: string;
  none: string;
  of: TimelineEntry[];
  acts: EntryActs;
  name: (entry: TimelineEntry) => ReactNode;
}

function Records({ title, none, of, acts, name }: RecordsProps) {
  const [all, setAll] = useState(false);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {of.length === 0 && <p className="console-hint">{none}</p>}
      <ul className="customer-records">
        {(all ? of : of.slice(0, FEW)).map((entry) => (
          <li key={entry.id}>
            <span className="record-name">{name(entry)}</span>
            <span className="record-amount">{amountOf(entry) > 0 && rupees(amountOf(entry))}</span>
            <span className="console-hint">{formatDay(entry.at)}</span>
            <span className="record-state">
              {entry.status && entry.status !== 'done' && (
                <Badge tone={toneOf(entry.status)}>{statusName(entry.status)}</Badge>
              )}
            </span>
            <span className="record-acts">{acts(entry)}</span>
          </li>
        ))}
      </ul>
      {!all && of.length > FEW && (
        <Button size="sm" variant="quiet" onClick={() => setAll(true)}>
          Show all {of.length}
        </Button>
      )}
    </section>
  );
}

/** The newest payments and documents of a customer, each with its acts. */
export function CustomerRecords({ id, acts }: { id: string; acts: EntryActs }) {
  const records = useQuery(recordsQuery(id));
  const entries = records.data?.entries ?? [];
  return (
    <div className="customer-facts">
      <Async query={records} what="the payments and documents" lines={4} />
      {records.data && (
        <>
          <Records
            title="Payments"
            none="No payment was begun."
            of={entries.filter((entry) => entry.id.startsWith('payment.'))}
            acts={acts}
            name={({ reference }) => <Link to={`/support/payments/${reference}`}>{reference}</Link>}
          />
          <Records
            title="Documents"
            none="No document was issued."
            of={entries.filter((entry) => entry.id.startsWith('invoice.'))}
            acts={acts}
            name={({ reference, title }) => reference || title}
          />
        </>
      )}
    </div>
  );
}
