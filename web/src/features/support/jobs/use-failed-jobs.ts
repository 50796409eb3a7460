import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { failedJobsQuery, summaryQuery, type JobsFilter } from '../api/jobs';

/** A page of the failed jobs matching a filter, and the counts of all, as of the newest job of the first page. */
export function useFailedJobs(filter: JobsFilter) {
  const queries = useQueryClient();
  const before = useSearchParams()[0].get('before') ?? '';
  const list = useQuery(failedJobsQuery(filter, before));
  const jobs = list.data?.jobs ?? [];
  // Newer jobs than its own are no news to a later page.
  const seen = before ? '' : (list.data?.first ?? '');
  const summary = useQuery(summaryQuery(filter, seen));
  // The rows first, so that nothing counts as shown before it is.
  const refresh = useCallback(() => {
    void queries
      .invalidateQueries({ queryKey: failedJobsQuery(filter, before).queryKey })
      .then(() => queries.invalidateQueries({ queryKey: summaryQuery(filter, seen).queryKey }));
  }, [queries, filter, before, seen]);
  // With no rows on screen nothing can shift, so new failures are shown at once.
  const { isSuccess, refetch } = list;
  const missed = isSuccess && !before && jobs.length === 0 && (summary.data?.total ?? 0) > 0;
  const { dataUpdatedAt: countedAt } = summary;
  useEffect(() => {
    if (missed) void refetch();
  }, [missed, countedAt, refetch]);
  const newer = summary.data?.newer ?? 0;
  const total = Math.max(0, (summary.data?.total ?? jobs.length) - newer);
  // Shown rows are not removed automatically, even if a colleague has already handled their jobs.
  const stale = !summary.isPlaceholderData && summary.isSuccess && total < jobs.length;
  return { list, summary, jobs, seen, newer, total, stale, refresh };
}
