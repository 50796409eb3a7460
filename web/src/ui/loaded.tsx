import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading, Skeleton } from './states';

export interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** The name of the data, e.g. "your next bill". */
  what: string;
  /** The height of the placeholder, as for `Skeleton`. */
  lines?: 4 | 8;
  children: (data: T) => ReactNode;
}

/** Renders the data of a query once it has loaded; shows loading and failure in its place. */
export function Loaded<T>({ query, what, lines = 4, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} what={what} onRetry={() => void query.refetch()} />;
  return (
    <Loading what={what} onRetry={() => void query.refetch()}>
      <Skeleton lines={lines} />
    </Loading>
  );
}
