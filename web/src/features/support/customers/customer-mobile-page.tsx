import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { Badge, Notice } from '@/ui/notice';
import { Async, EmptyState } from '@/ui/states';
import { formatMobile } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { mobileQuery } from '../api/customers';
import { unlockMobile } from '../api/help';
import { Entry } from './customer-entry';
import { count } from '../shared/count';
import { ReasonedAct, type Intent } from '../shared/reasoned-act';
import './support-customers.scss';
import { Offer } from '../shared/offer';

const unlocking = (mobile: string): Intent => ({
  title: 'Unlock the sign-up',
  effect: 'Wrong codes and the day’s SMS are forgotten. A code can be asked for again at once.',
  label: 'Unlock',
  usual: ['Locked out by wrong codes', 'No SMS arrived'],
  act: (reason, key) => unlockMobile(mobile, reason, key),
});

/** A number that started to sign up and has no account: whether the code was sent, and what blocks the sign-up. */
export function MobilePage() {
  const { mobile = '' } = useParams();
  const found = useQuery(mobileQuery(mobile));
  const [open, setOpen] = useState(false);
  usePageMeta({ title: formatMobile(mobile) });
  const nobody = (
    <EmptyState alone title={`Nobody has ${formatMobile(mobile)}`}>
      No account has this number, and nobody began to sign up with it.
    </EmptyState>
  );
  if (!found.data) return <Async query={found} what="the number" lines={6} missing={nobody} />;
  const { pending, locked, messages, entries } = found.data;
  return (
    <>
      <div className="customer-head">
        <div className="customer-name">
          <h1>{formatMobile(mobile)}</h1>
          <Badge tone="warning">no account</Badge>
        </div>
        <div className="customer-acts" role="group" aria-label="Help">
          <Offer onClick={() => setOpen(true)}>Unlock sign-up</Offer>
        </div>
      </div>
      <Notice tone={locked ? 'danger' : 'info'}>
        {locked ? 'Too many wrong codes in one browser, which waits for a quarter of an hour. ' : ''}
        {pending ? 'A sign-up waits for its code.' : 'No sign-up is waiting; it can be begun again.'}{' '}
        {count(messages, 'code was', 'codes were')} asked for.
      </Notice>
      <section className="customer-timeline" aria-labelledby="timeline-title">
        <h2 id="timeline-title">Timeline</h2>
        <ol className="timeline" aria-label="Timeline">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} linked={false} now={found.dataUpdatedAt} />
          ))}
        </ol>
      </section>
      {open && <ReasonedAct intent={unlocking(mobile)} onClose={() => setOpen(false)} />}
    </>
  );
}
