import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '@/ui/button';

export interface MoreRowsProps {
  of: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  className?: string;
  children: ReactNode;
}

/** Adds the next page of a list below the rows that are shown. */
export function MoreRows({ of, className, children }: MoreRowsProps) {
  if (!of.hasNextPage) return null;
  return (
    <Button
      variant="outline"
      className={className}
      pending={of.isFetchingNextPage}
      onClick={() => void of.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
