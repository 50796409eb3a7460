import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type PasswordResetRequest = components['schemas']['PasswordResetRequest'];

/** `POST /password/reset`: sets the new password and ends every session of the account. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: PasswordResetRequest) => envelope(api.POST('/password/reset', { body })),
  });
}
