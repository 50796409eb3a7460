import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, envelope } from '@/lib/api/client';
import { sessionQuery } from '@/lib/session/session-query';
import { toast } from '@/lib/toast';
import { erasureQuery } from './erasure';

/** `DELETE /profile/erasure`: cancels the erasure; repeated clicks send one request. */
export function useWithdrawErasure() {
  // The mutation reports that it is pending only after the next render, and a second click may come before that.
  const sending = useRef(false);
  const {
    mutate,
    isPending: pending,
    error,
  } = useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/erasure')),
    // Shown here, because the component may be unmounted once the session's erasure date is cleared.
    onSuccess: ({ message }) => toast.success(message),
    meta: { invalidates: [erasureQuery.queryKey, sessionQuery.queryKey] },
    onSettled: () => {
      sending.current = false;
    },
  });
  const keep = () => {
    if (sending.current) return;
    sending.current = true;
    mutate();
  };
  return { keep, pending, error };
}
