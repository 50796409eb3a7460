import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { failedJobsQuery, summaryQuery, type JobsFilter } from '../api/jobs';

/** The failed jobs matching a filter and their counts, as of the newest job first loaded. */
export function useFailedJobs(filter: JobsFilter) {
  const queries = useQueryClient();
  const list = useInfiniteQuery(failedJobsQuery(filter));
  const seen = list.data?.pages[0]?.first ?? '';
  const summary = useQuery(summaryQuery(filter, seen));
  const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  const refresh = useCallback(() => {
    void queries.invalidateQueries({ queryKey: failedJobsQuery(filter).queryKey });
    void queries.invalidateQueries({ queryKey: summaryQuery(filter, seen).queryKey });
  }, [queries, filter, seen]);
  // With no rows on screen nothing can shift, so new failures are shown at once.
  const { isSuccess, refetch } = list;
  const missed = isSuccess && jobs.length === 0 && (summary.data?.total ?? 0) > 0;
  const { dataUpdatedAt: countedAt } = summary;
  useEffect(() => {
    if (missed) void refetch();
  }, [missed, countedAt, refetch]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const newer = summary.data?.newer ?? 0;
  const total = Math.max(0, (summary.data?.total ?? jobs.length) - newer);
  // Loaded rows are not removed automatically, even if a colleague has already handled their jobs.
  const stale = !summary.isPlaceholderData && summary.isSuccess && total < jobs.length;
  return { list, summary, jobs, seen, newer, total, stale, refresh, loadMore };
}
