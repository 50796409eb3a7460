import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { customerKeys, type Customer } from '../api/customers';
import { moneyKey, reversalsKey } from '../api/help';

/** Invalidates everything that an action on the customer's money may have changed. */
export function useCustomerRefresh(id: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    for (const queryKey of [
      ...customerKeys(id),
      ['support', 'entry', id],
      ['support', 'trail'],
      ['support', 'transfers'],
      reversalsKey,
      moneyKey,
    ])
      void queries.invalidateQueries({ queryKey });
  }, [queries, id]);
}

/** Refreshes once a refund request is no longer open, however it ended. */
export function useRefreshWhenSettled({ id, open_requests: requests }: Customer): void {
  const refresh = useCustomerRefresh(id);
  const open = useRef<string[]>([]);
  useEffect(() => {
    const now = requests.map((one) => one.id);
    if (open.current.some((one) => !now.includes(one))) refresh();
    open.current = now;
  }, [requests, refresh]);
}
