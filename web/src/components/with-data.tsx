import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { useContext, type ReactNode } from 'react';
import { createQueryClient } from '@/lib/api/query-client';

/** One cache for every part of the page that asks the server. */
const queryClient = createQueryClient();

/** Gives its children the server's data where nothing around them does; loaded apart, because most public pages ask for none. */
export function WithData({ children }: { children: ReactNode }) {
  const given = useContext(QueryClientContext);
  return given ? children : <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
