import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /profile/email/otp`: sends a code for a new e-mail to the mobile on file. */
export function useRequestEmailCode() {
  return useMutation({
    mutationFn: (body: components['schemas']['EmailChangeStart']) => envelope(api.POST('/profile/email/otp', { body })),
    gcTime: 0,
  });
}
