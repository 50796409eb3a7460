import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { ErrorState, Loading } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { jobsQuery } from '../api/queries';
import { cancelJobs, rerunJobs, type JobResult, type JobsQuery } from '../api/support';
import { JobsTable } from './jobs-table';
import { ReasonDialog } from './reason-dialog';

interface Asked {
  what: 'rerun' | 'cancel';
  ids: number[];
}

function name(ids: number[]): string {
  return ids.length === 1 ? `job ${ids[0]}` : `${ids.length} jobs`;
}

function queryOf(params: URLSearchParams): JobsQuery {
  const state = params.get('state');
  return {
    page: Math.max(1, Number(params.get('page')) || 1), search: params.get('error') || undefined, kind: params.get('kind') || undefined,
    customer_id: params.get('customer') || undefined, state: state === 'discarded' || state === 'cancelled' || state === 'retryable' ? state : undefined,
  };
}

function tell(results: JobResult[], what: Asked['what']): string {
  const done = results.filter((one) => one.done).length;
  const refused = results.filter((one) => !one.done).map((one) => `${one.id}: ${one.message}`);
  return [`${done} of ${results.length} ${what === 'rerun' ? 'will run again' : 'cancelled'}.`, ...refused].join(' ');
}

/** Jobs that failed, grouped by their cause, to be run again or cancelled with a reason. */
export function JobsPage() {
  usePageMeta({ title: 'Failed jobs' });
  const [params, setParams] = useSearchParams();
  const query = queryOf(params);
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [asked, setAsked] = useState<Asked>();
  const [told, setTold] = useState('');
  const jobs = useQuery({ ...jobsQuery(query), refetchInterval: chosen.size === 0 && !asked && 5000 });
  const filter = (next: Record<string, string>) => {
    setChosen(new Set());
    setParams({ ...Object.fromEntries(params), page: '1', ...next }, { replace: true });
  };
  const done = (results: JobResult[], what: Asked['what']) => {
    setTold(tell(results, what));
    setAsked(undefined);
    setChosen(new Set());
    void queries.invalidateQueries({ queryKey: jobsQuery(query).queryKey });
  };
  const pages = jobs.data ? Math.max(1, Math.ceil(jobs.data.total / jobs.data.per_page)) : 1;
  return (
    <>
      <div className="console-bar">
        <h1>Failed jobs</h1>
        <label htmlFor="job-error">Error</label>
        <input id="job-error" className="input" value={params.get('error') ?? ''} onChange={(event) => filter({ error: event.target.value })} />
        <label htmlFor="job-state">State</label>
        <select id="job-state" className="input" value={query.state ?? ''} onChange={(event) => filter({ state: event.target.value })}>
          <option value="">All failed</option>
          <option value="discarded">Given up</option>
          <option value="retryable">Will try again</option>
          <option value="cancelled">Cancelled</option>
        </select>
        <span role="status">{told || (jobs.data ? `${jobs.data.total} ${jobs.data.total === 1 ? 'job' : 'jobs'}` : '')}</span>
      </div>
      {jobs.error && <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} what="the jobs" />}
      {jobs.isPending && <Loading what="the jobs">{null}</Loading>}
      {jobs.data && jobs.data.groups.length > 0 && (
        <ul className="console-groups" aria-label="Causes">
          {jobs.data.groups.slice(0, 8).map((group) => (
            <li key={`${group.kind} ${group.error}`}>
              <button type="button" className="btn-text" onClick={() => filter({ kind: group.kind, error: group.error.slice(0, 100) })}>
                {group.count} × {group.kind}: {group.error || 'no error kept'}
              </button>
            </li>
          ))}
        </ul>
      )}
      {(query.kind || query.customer_id) && <Button variant="quiet" size="sm" onClick={() => setParams({}, { replace: true })}>Clear filters</Button>}
      {chosen.size > 0 && (
        <div className="console-batch" role="region" aria-label="Chosen jobs">
          <strong>{chosen.size} chosen</strong>
          <Button size="sm" onClick={() => setAsked({ what: 'rerun', ids: [...chosen] })}>Rerun</Button>
          <Button size="sm" variant="outline" onClick={() => setAsked({ what: 'cancel', ids: [...chosen] })}>Cancel jobs</Button>
        </div>
      )}
      {jobs.data?.jobs.length === 0 && <p>No failed jobs. All is well.</p>}
      {jobs.data && jobs.data.jobs.length > 0 && <JobsTable jobs={jobs.data.jobs} chosen={chosen} onChoose={setChosen} onRerun={(ids) => setAsked({ what: 'rerun', ids })} />}
      {pages > 1 && (
        <div className="console-bar">
          <Button variant="outline" size="sm" onClick={() => filter({ page: String(Math.max(1, query.page - 1)) })}>Previous</Button>
          <span>Page {query.page} of {pages}</span>
          <Button variant="outline" size="sm" onClick={() => filter({ page: String(Math.min(pages, query.page + 1)) })}>Next</Button>
        </div>
      )}
      {asked && (
        <ReasonDialog title={asked.what === 'rerun' ? `Rerun ${name(asked.ids)}?` : `Cancel ${name(asked.ids)}?`} label={asked.what === 'rerun' ? `Rerun ${name(asked.ids)}` : `Cancel ${name(asked.ids)}`}
          effect={asked.what === 'rerun' ? 'The job starts as soon as a worker is free. Every job is made to have its effect once, however often it runs.' : 'The job will not run any more unless somebody reruns it.'}
          act={(reason) => (asked.what === 'rerun' ? rerunJobs : cancelJobs)({ ids: asked.ids, reason })} onDone={({ results }) => done(results, asked.what)} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
