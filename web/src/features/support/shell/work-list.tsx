import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { useMay, type Role } from '../api/rights';
import { claimWork, releaseWork, workQuery, type WorkGroup, type WorkRow } from '../api/watch';
import { rupees } from '../customers/customer-words';
import { count } from '../shared/count';
import { Lookers, useLookers } from './presence';
import { useNow, When } from '../shared/when';
import { useChange } from '../api/use-change';
import { Offer } from '../shared/offer';

/** Contact requests and deliveries are assigned on their own pages. */
const isAssigned = (kind: string) => kind.startsWith('own_') || kind === 'unassigned_request';

function Claim({ kind, row }: { kind: string; row: WorkRow }) {
  const mayAct = useMay('help', 'money');
  const change = useChange(() =>
    row.mine ? releaseWork(kind, row.key) : claimWork(kind, row.key, row.claimed_by !== ''),
  );
  const label = row.mine ? 'Release' : row.claimed_by ? 'Take over' : 'Claim';
  return (
    <div className="work-owner">
      {row.mine ? 'You' : row.claimed_by || 'Nobody'}
      {mayAct && !isAssigned(kind) && (
        <Offer pending={change.isPending} onClick={() => change.mutate()} of={row.title}>
          {label}
        </Offer>
      )}
      {change.error && (
        <span role="alert" className="console-error">
          {explain(change.error)}
        </span>
      )}
    </div>
  );
}

interface GroupProps {
  of: WorkGroup;
  rows: WorkRow[];
  now: number;
  lookersAt: (link: string) => string;
}

function Group({ of, rows, now, lookersAt }: GroupProps) {
  const hidden = of.count - of.rows.length;
  return (
    <section className="work-group" aria-labelledby={`work-${of.kind}`}>
      <div className="work-head">
        <h2 id={`work-${of.kind}`}>
          {of.title} ({of.count.toLocaleString('en-IN')})
        </h2>
        {of.link && (
          <Link to={of.link}>
            All of them<span className="visually-hidden">: {of.title}</span>
          </Link>
        )}
      </div>
      <ul className="work-rows">
        {rows.map((row) => (
          <li key={row.key}>
            <div className="work-what">
              <p>
                <Link className="work-title" to={row.link}>
                  {row.title}
                </Link>
                {row.customer_id && (
                  <>
                    {' · '}
                    <Link to={`/support/customers/${row.customer_id}`}>{row.customer || 'The customer'}</Link>
                  </>
                )}
                {row.amount_paise > 0 && <> · {rupees(row.amount_paise)}</>}
              </p>
              <p className="console-hint">
                {row.wrong} {row.to_do}
              </p>
              <p className="work-since">
                <When at={row.since} now={now} />
              </p>
            </div>
            <div>
              <Claim kind={of.kind} row={row} />
              <Lookers who={lookersAt(row.link)} />
            </div>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="console-hint work-more">{hidden.toLocaleString('en-IN')} newer ones are not shown here.</p>
      )}
    </section>
  );
}

/** The kinds of work that come first for a role, because nobody else does them or somebody waits at the telephone. */
const first: Record<Role, string[]> = {
  support: [
    'failing_dependency',
    'own_request',
    'own_delivery',
    'held_payment',
    'undecided_payment',
    'late_request',
    'unassigned_request',
  ],
  finance: ['own_request', 'failed_refund', 'dispute', 'held_payment', 'bank_credit', 'settlement_difference'],
  admin: ['failing_dependency', 'refund_approval', 'act_approval', 'bank_use', 'catalogue_change', 'own_request'],
  auditor: ['failing_dependency', 'held_payment', 'settlement_difference'],
};

/** The groups in the role's order of urgency; the others stay as they come. */
function byUrgency(groups: readonly WorkGroup[], role: Role): WorkGroup[] {
  const rank = ({ kind }: WorkGroup) => (first[role].includes(kind) ? first[role].indexOf(kind) : first[role].length);
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

/** How much waits, and for how long. */
function InShort({ groups, now }: { groups: readonly WorkGroup[]; now: number }) {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const oldest = groups.flatMap(({ rows }) => rows.map(({ since }) => since)).toSorted()[0];
  if (!oldest) return null;
  return (
    <p className="console-hint">
      {count(total, 'item waits', 'items wait')}, the oldest since <When at={oldest} now={now} />.
    </p>
  );
}

/** Everything that waits for staff, each kind with its count, and who sees to what. */
export function WorkList({ role }: { role: Role }) {
  const work = useQuery(workQuery);
  const [mine, setMine] = useState(false);
  const now = useNow();
  const all = byUrgency(work.data?.groups ?? [], role);
  const groups = all
    .map((group) => ({ group, rows: mine ? group.rows.filter((row) => row.mine) : group.rows }))
    .filter(({ rows }) => rows.length > 0);
  const lookersAt = useLookers(groups.flatMap(({ rows }) => rows.map(({ link }) => link)));
  const quiet = all.filter((group) => group.count === 0);
  return (
    <>
      <Async query={work} what="the work list" lines={6} tellStale />
      {work.data && (mine || groups.length > 0) && (
        <div className="work-bar">
          <InShort groups={all} now={now} />
          <CheckboxField box="console-switch" label="Only mine" checked={mine} onChange={setMine} />
        </div>
      )}
      {work.data && groups.length === 0 && (
        <Notice tone="success">{mine ? 'You have not claimed anything.' : 'Nothing is waiting.'}</Notice>
      )}
      {groups.map(({ group, rows }) => (
        <Group key={group.kind} of={group} rows={rows} now={now} lookersAt={lookersAt} />
      ))}
      {!mine && groups.length > 0 && quiet.length > 0 && (
        <p className="console-hint">Nothing waits under: {quiet.map(({ title }) => title).join('; ')}.</p>
      )}
    </>
  );
}
