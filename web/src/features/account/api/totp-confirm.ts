import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { sessionQuery } from '@/lib/session/session-query';

/** `POST /profile/totp/confirm`: switches the authenticator app on and returns the recovery codes, once. */
export function useConfirmTotp() {
  return useMutation({
    mutationFn: (code: string) => envelope(api.POST('/profile/totp/confirm', { body: { code } })),
    meta: { invalidates: [sessionQuery.queryKey] },
    gcTime: 0,
  });
}
