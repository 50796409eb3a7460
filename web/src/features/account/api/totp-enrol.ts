import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/totp/enrol`: returns a secret for an authenticator app; requires the password. Nothing changes until it is confirmed. */
export function useEnrolTotp() {
  return useMutation({
    mutationFn: (password: string) => data(api.POST('/profile/totp/enrol', { body: { password } })),
    gcTime: 0,
  });
}
