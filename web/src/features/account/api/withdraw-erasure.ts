import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { erasureQuery } from './erasure';

/** `DELETE /profile/erasure`: keeps the account after all. */
export function useWithdrawErasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/erasure')),
    onSuccess: () => client.invalidateQueries({ queryKey: erasureQuery.queryKey }),
  });
}
