import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { useContext, type ReactNode } from 'react';
import { createQueryClient } from '@/lib/api/query-client';

/** One cache for all parts of the page that call the server. */
const queryClient = createQueryClient();

/** Provides the query client where no parent does; loaded separately, because most public pages do not need it. */
export function WithData({ children }: { children: ReactNode }) {
  const given = useContext(QueryClientContext);
  return given ? children : <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
