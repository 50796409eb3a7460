import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, envelope } from '@/lib/api/client';
import { updateSession } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { toast } from '@/lib/toast';
import { erasureQuery } from './erasure';

/** `DELETE /profile/erasure`: keeps the account after all, asked for once however often it is pressed. */
export function useWithdrawErasure() {
  const client = useQueryClient();
  // The mutation says that it is under way only after the next render, which a second click may come before.
  const sending = useRef(false);
  const {
    mutate,
    isPending: pending,
    error,
  } = useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/erasure')),
    onSuccess: ({ message }) => {
      // Said here, because what asked may be gone with the session's day.
      toast.success(message);
      updateSession({ eraseOn: null });
    },
    // Where it is refused, another tab may have withdrawn it.
    onSettled: async () => {
      await Promise.all([erasureQuery, sessionQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
      sending.current = false;
    },
    meta: { quiet: true },
  });
  const keep = () => {
    if (sending.current) return;
    sending.current = true;
    mutate();
  };
  return { keep, pending, error };
}
