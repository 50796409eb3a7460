import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

/** `POST /password/reset-otp`: sends the code, the first time and again. */
export function useRequestPasswordCode() {
  return useMutation({
    mutationFn: (mobile: string) => envelope(api.POST('/password/reset-otp', { body: { mobile } })),
  });
}
