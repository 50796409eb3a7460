import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading, Skeleton } from './states';

export interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** What is loaded, e.g. "your next bill". */
  what: string;
  /** The height of what stands there meanwhile, as of `Skeleton`. */
  lines?: 4 | 8;
  children: (data: T) => ReactNode;
}

/** What a query brings once it is there; loading and failing are said in its place. */
export function Loaded<T>({ query, what, lines = 4, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} what={what} onRetry={() => void query.refetch()} />;
  return (
    <Loading what={what} onRetry={() => void query.refetch()}>
      <Skeleton lines={lines} />
    </Loading>
  );
}
