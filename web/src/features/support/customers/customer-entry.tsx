import LinkIcon from 'bootstrap-icons/icons/link-45deg.svg?component';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { Badge } from '@/ui/notice';
import { toast } from '@/lib/toast';
import type { TimelineEntry } from '../api/customers';
import { Details } from './customer-details';
import { actionName } from '../shared/action-words';
import { actorName, jobName, kindName, statusName, toneOf } from './customer-words';
import { When } from '../shared/when';

/** Renders the action buttons of an entry. */
export type EntryActs = (entry: TimelineEntry) => ReactNode;

const titleOf = (entry: TimelineEntry): string => {
  if (entry.kind === 'job') return jobName(entry.title.replace(/^Job /, ''));
  return entry.kind === 'staff' ? actionName(entry.title) : entry.title;
};

export interface EntryProps {
  entry: TimelineEntry;
  /** This is the entry named in the URL: expanded and scrolled into view. */
  linked: boolean;
  /** The current time, in milliseconds. */
  now: number;
  acts?: EntryActs;
}

/** One line of the timeline; expands to show everything. */
export function Entry({ entry, linked, now, acts }: EntryProps) {
  const [open, setOpen] = useState(linked);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!linked) return;
    row.current?.querySelector('summary')?.focus({ preventScroll: true });
    row.current?.scrollIntoView({ block: 'start' });
  }, [linked]);
  const copyLink = async () => {
    const address = new URL(location.href);
    address.search = new URLSearchParams({ entry: entry.id }).toString();
    try {
      await navigator.clipboard.writeText(address.href);
      toast.success('Link copied');
    } catch {
      toast.warn('Copying is blocked here.');
    }
  };
  const title = titleOf(entry);
  return (
    <li ref={row} id={entry.id} className={`entry entry-${entry.kind} ${linked ? 'entry-linked' : ''}`}>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-entry="">
          <span className="entry-kind">{kindName(entry.kind)}</span>
          <span className="entry-actor">{actorName(entry.actor)}</span>
          <span className="entry-title">{title}</span>
          <span className="entry-status">
            {entry.status && entry.status !== 'done' && (
              <Badge tone={toneOf(entry.status)}>{statusName(entry.status)}</Badge>
            )}
          </span>
          <When at={entry.at} now={now} />
        </summary>
        {open && (
          <div className="entry-body">
            <Details values={{ ...entry.details, request_id: entry.request_id }} />
            <div className="entry-acts">
              {acts?.(entry)}
              {typeof entry.details.payment_id === 'string' && entry.details.payment_id !== '' && (
                <Link className="btn btn-outline btn-sm" to={`/support/payments/${entry.details.payment_id}`}>
                  Everything of the payment
                </Link>
              )}
              {entry.kind === 'job' && (
                <Link className="btn btn-outline btn-sm" to={`/support/jobs?job=${entry.reference}`}>
                  Open job {entry.reference}
                </Link>
              )}
              {entry.reference && (
                <CopyButton value={entry.reference} what={`reference of ${title}`} done="Reference copied" />
              )}
              <Button variant="quiet" size="sm" aria-label={`Copy link to ${title}`} onClick={() => void copyLink()}>
                <LinkIcon /> Link
              </Button>
            </div>
          </div>
        )}
      </details>
    </li>
  );
}
