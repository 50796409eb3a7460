import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /profile/mobile/otp`: sends a code to the new mobile number. */
export function useRequestMobileCode() {
  return useMutation({
    mutationFn: (body: components['schemas']['MobileChangeStart']) =>
      envelope(api.POST('/profile/mobile/otp', { body })),
    gcTime: 0,
  });
}
