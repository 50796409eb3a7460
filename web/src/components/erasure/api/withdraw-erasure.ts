import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { updateSession } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { erasureQuery } from './erasure';

/** `DELETE /profile/erasure`: keeps the account after all. */
export function useWithdrawErasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/erasure')),
    onSuccess: () => updateSession({ eraseOn: null }),
    // Where it is refused, another tab may have withdrawn it.
    onSettled: () =>
      Promise.all([erasureQuery, sessionQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey }))),
    meta: { quiet: true },
  });
}
