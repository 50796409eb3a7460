import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { createQueryClient } from '@/lib/api/query-client';

/** One cache for every part of the page that asks the server. */
const queryClient = createQueryClient();

/** Gives its children the server's data; loaded apart, because most public pages ask for none. */
export function WithData({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

/** The frame of all routes that ask the server. */
export function DataLayout() {
  return (
    <WithData>
      <Outlet />
    </WithData>
  );
}
