import { keepPreviousData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { post, postFor, read } from './call';
import { REFRESH_MS } from './support';

type Schemas = components['schemas'];
export type FailedJob = Schemas['FailedJob'];
export type Job = Schemas['SupportJob'];
export type JobAction = Schemas['JobAction'];
export type JobSummary = Schemas['JobSummary'];
export type JobGroup = Schemas['JobGroup'];
export type JobOperationState = Schemas['JobOperationState'];
export type Board = Schemas['SupportQueues'];
export type Queue = Schemas['SupportQueue'];
export type JobDryRun = Schemas['JobDryRun'];
export type JobDryRunRequest = Schemas['JobDryRunRequest'];
type JobState = NonNullable<Schemas['JobFilter']['state']>;

/** Selects failed jobs; omitted members do not filter. Times are instants such as "2026-11-21T05:30:00Z". */
export interface JobsFilter {
  state?: Exclude<JobState, ''>;
  kind?: string;
  queue?: string;
  search?: string;
  cause?: string;
  /** By which error `cause` is meant; the last one if omitted. */
  by?: 'first';
  customer_id?: string;
  /** A value among the arguments, or one under its key. */
  arg?: string;
  from?: string;
  to?: string;
}

const PAGE = 50;

/** A page of the failed jobs, which stays as it is until it is asked for again. */
export const failedJobsQuery = (filter: JobsFilter, after: string) =>
  read(
    '/api/support/jobs',
    { query: { ...filter, limit: PAGE, ...(after && { after }) } },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );

/** How many jobs failed, why and when; `seen` counts newer failures. */
export const summaryQuery = (filter: JobsFilter, seen: string) =>
  read(
    '/api/support/jobs/summary',
    { query: { ...filter, ...(seen && { seen }) } },
    { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  );

export const jobQuery = (job: number) => read('/api/support/jobs/{job}', { path: { job } }, { enabled: job > 0 });

/** A request for a change; requests with the same key count as one change, however often they are sent. */
export interface JobChange {
  action: JobAction;
  ids?: number[];
  filter?: JobsFilter & { seen?: string };
  /** A dry run, whose jobs are meant. */
  dry_run?: string;
  reason: string;
  snooze_seconds?: number;
  key: string;
}

/** Changes one job at once; a refusal is thrown as an error with its reason. */
export const changeJob = (id: number, { action, reason, snooze_seconds, key }: JobChange) =>
  postFor(
    `/api/support/jobs/${action}`,
    { ids: [id], reason, ...(snooze_seconds && { snooze_seconds }) },
    undefined,
    key,
  );

/** Changes many jobs in the background and returns the operation's id. */
export const beginOperation = ({ key, ...body }: JobChange) =>
  postFor('/api/support/jobs/operations', body, undefined, key);

/** Fixes the jobs of a change and looks at the first of them; nothing is changed. */
export const tryOperation = (body: JobDryRunRequest) => postFor('/api/support/jobs/dry-runs', body);

/** Looks at further jobs of a dry run. */
export const continueDryRun = (id: string) => postFor('/api/support/jobs/dry-runs/{id}/continue', undefined, { id });

export const runSchedule = (kind: string, reason: string) =>
  postFor('/api/support/schedules/{kind}/run', { reason }, { kind });

export const operationQuery = (id: string) =>
  read(
    '/api/support/jobs/operations/{id}',
    { path: { id } },
    {
      enabled: id !== '',
      refetchInterval: ({ state: { data: found } }) =>
        found?.operation.finished_at ? (found.aftermath.waiting > 0 ? REFRESH_MS : false) : 700,
    },
  );

export const operationsQuery = read('/api/support/jobs/operations', {}, { refetchInterval: REFRESH_MS });
export const boardQuery = read('/api/support/queues', {}, { refetchInterval: REFRESH_MS });

export const controlQueue = (name: string, what: 'pause' | 'resume', reason: string) =>
  post(`/api/support/queues/{name}/${what}`, { reason }, { name });
