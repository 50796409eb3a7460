import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

/** `POST /password/reset-otp`: sends or resends the code; set `quiet` if a form shows the errors. */
export function useRequestPasswordCode({ quiet = false } = {}) {
  return useMutation({
    mutationFn: (mobile: string) => envelope(api.POST('/password/reset-otp', { body: { mobile } })),
    meta: { quiet },
  });
}
