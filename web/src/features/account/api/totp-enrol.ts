import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/totp/enrol`: a secret for an authenticator app, for the password; nothing changes yet. */
export function useEnrolTotp() {
  return useMutation({
    mutationFn: (password: string) => data(api.POST('/profile/totp/enrol', { body: { password } })),
    gcTime: 0,
  });
}
