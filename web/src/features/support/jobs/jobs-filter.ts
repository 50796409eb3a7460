import type { Tone } from '@/ui/notice';
import type { JobsFilter } from '../api/jobs';

export const stateWords: Record<string, string> = {
  discarded: 'Given up',
  retryable: 'Will try again',
  cancelled: 'Cancelled',
  snoozed: 'Snoozed',
  dismissed: 'Dismissed',
  scheduled: 'Planned',
  available: 'Waiting',
  running: 'Running',
  completed: 'Done',
  pending: 'Pending',
};

export const stateTones: Record<string, Tone> = { discarded: 'danger', retryable: 'warning', completed: 'success' };

/** The spans offered by the filter, in minutes. */
export const spans: Record<string, [label: string, minutes: number]> = {
  '1h': ['Last hour', 60],
  '24h': ['Last 24 hours', 1440],
  '7d': ['Last 7 days', 10_080],
  '30d': ['Last 30 days', 43_200],
};

const texts = {
  kind: 'kind',
  queue: 'queue',
  error: 'search',
  cause: 'cause',
  arg: 'arg',
  customer: 'customer_id',
  from: 'from',
  to: 'to',
} as const;
/** The states by which the list is filtered. */
export const states = ['discarded', 'retryable', 'cancelled', 'snoozed', 'dismissed'] as const;

/** The filter in the URL; a span up to now starts on a whole minute, so that it stays the same for a minute. */
export function filterOf(params: URLSearchParams, now: number): JobsFilter {
  const filter: JobsFilter = {};
  for (const [param, member] of Object.entries(texts)) {
    const value = params.get(param)?.slice(0, 100);
    if (value) filter[member as 'kind'] = value;
  }
  if (params.get('by') === 'first') filter.by = 'first';
  const state = states.find((one) => one === params.get('state'));
  if (state) filter.state = state;
  const span = spans[params.get('since') ?? ''];
  if (span && !filter.from)
    filter.from = `${new Date(Math.floor(now / 60_000 - span[1]) * 60_000).toISOString().slice(0, 19)}Z`;
  return filter;
}

/** The parameters that narrow the list. */
export const filterParams = ['state', 'since', 'by', ...Object.keys(texts)];

/** A readable duration: "45 s", "12 min", "3 h". */
export function span(seconds: number): string {
  if (seconds < 120 && seconds !== 60) return `${seconds} s`;
  if (seconds < 7200 && seconds !== 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
