import { useId, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState, Loading, Skeleton } from '@/components/states';

export interface CardProps {
  title: string;
  /** What stands beside the title, e.g. the card's main button. */
  action?: ReactNode;
  children: ReactNode;
}

/** A block of the dashboard with a heading of its own. */
export function Card({ title, action, children }: CardProps) {
  const id = useId();
  return (
    <section className="panel dash-card" aria-labelledby={id}>
      <div className="dash-card-head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

export interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** What is loaded, e.g. "your next bill". */
  what: string;
  children: (data: T) => ReactNode;
}

/** A card's content once it is there; loading and failing are the card's own affair. */
export function Loaded<T>({ query, what, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} what={what} onRetry={() => void query.refetch()} />;
  return (
    <Loading what={what} onRetry={() => void query.refetch()}>
      <Skeleton lines={4} />
    </Loading>
  );
}
