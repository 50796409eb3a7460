import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Customer } from '../api/customers';
import { supportKey } from '../api/support';

/** Refreshes once a refund request is no longer open, however it ended. */
export function useRefreshWhenSettled({ open_requests: requests }: Customer): void {
  const queries = useQueryClient();
  const open = useRef<string[]>([]);
  useEffect(() => {
    const now = requests.map((one) => one.id);
    if (open.current.some((one) => !now.includes(one))) void queries.invalidateQueries({ queryKey: supportKey });
    open.current = now;
  }, [requests, queries]);
}
