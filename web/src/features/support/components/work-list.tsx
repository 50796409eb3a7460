import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Notice } from '@/components/notice';
import { QueryStates } from '@/components/states';
import { ListTable } from '@/components/list/list-table';
import { explain } from '@/lib/api/errors';
import { useMay } from '../api/rights';
import { inPlace } from '../api/support';
import { claimWork, releaseWork, workQuery, type WorkGroup, type WorkRow } from '../api/watch';
import { rupees } from './customer-words';
import { Lookers, useLookers } from './presence';
import { useNow, When } from './when';

/** Contact requests are assigned on their own pages. */
const isAssigned = (kind: string) => kind === 'own_request';

function Claim({ kind, row }: { kind: string; row: WorkRow }) {
  const queries = useQueryClient();
  const mayAct = useMay('help', 'money');
  const change = useMutation({
    ...inPlace,
    mutationFn: () => (row.mine ? releaseWork(kind, row.key) : claimWork(kind, row.key, row.claimed_by !== '')),
    onSettled: () => queries.invalidateQueries({ queryKey: workQuery.queryKey }),
  });
  const label = row.mine ? 'Release' : row.claimed_by ? 'Take over' : 'Claim';
  return (
    <div className="work-owner">
      {row.mine ? 'You' : row.claimed_by || 'Nobody'}
      {mayAct && !isAssigned(kind) && (
        <Button variant="outline" size="sm" pending={change.isPending} onClick={() => change.mutate()}>
          {label}
          <span className="visually-hidden"> {row.title}</span>
        </Button>
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
    <section aria-labelledby={`work-${of.kind}`}>
      <h3 id={`work-${of.kind}`}>
        {of.title} ({of.count.toLocaleString('en-IN')})
      </h3>
      <ListTable
        wide
        caption={of.title}
        rows={rows}
        rowKey={(row) => row.key}
        columns={[
          {
            label: 'What',
            cell: (row) => (
              <>
                <Link to={row.link}>{row.title}</Link>
                {row.amount_paise > 0 && <span className="console-hint"> {rupees(row.amount_paise)}</span>}
                {row.customer_id && (
                  <>
                    <br />
                    <Link className="console-hint" to={`/support/customers/${row.customer_id}`}>
                      {row.customer || 'The customer'}
                    </Link>
                  </>
                )}
              </>
            ),
          },
          { label: 'What is wrong', cell: (row) => row.wrong, long: true },
          { label: 'What to do', cell: (row) => row.to_do, long: true },
          { label: 'Since', cell: (row) => <When at={row.since} now={now} /> },
          {
            label: 'Assigned to',
            cell: (row) => (
              <>
                <Claim kind={of.kind} row={row} />
                <Lookers who={lookersAt(row.link)} />
              </>
            ),
          },
        ]}
      />
      {hidden > 0 && <p className="console-hint">{hidden.toLocaleString('en-IN')} newer ones are not shown here.</p>}
      {of.link && (
        <p>
          <Link to={of.link}>
            All of them<span className="visually-hidden">: {of.title}</span>
          </Link>
        </p>
      )}
    </section>
  );
}

/** Everything that waits for staff, each kind with its count, and who sees to what. */
export function WorkList() {
  const work = useQuery(workQuery);
  const [mine, setMine] = useState(false);
  const now = useNow();
  const groups = (work.data?.groups ?? [])
    .map((group) => ({ group, rows: mine ? group.rows.filter((row) => row.mine) : group.rows }))
    .filter(({ rows }) => rows.length > 0);
  const lookersAt = useLookers(groups.flatMap(({ rows }) => rows.map(({ link }) => link)));
  const quiet = (work.data?.groups ?? []).filter((group) => group.count === 0);
  return (
    <>
      <QueryStates query={work} what="the work list" lines={6} tellStale />
      {work.data && (
        <p>
          <label className="console-switch">
            <input type="checkbox" checked={mine} onChange={(event) => setMine(event.target.checked)} /> Only mine
          </label>
        </p>
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
