import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

interface Resend {
  mobile: string;
  /** Known only until the page is reloaded. */
  password?: string;
}

/** `POST /otp/resend-otp`; after a reload, when the password is no longer known, `POST /mobile/otp`. */
export function useResendCode() {
  return useMutation({
    mutationFn: ({ mobile, password }: Resend) =>
      password
        ? envelope(api.POST('/otp/resend-otp', { body: { mobile, password } }))
        : envelope(api.POST('/mobile/otp', { body: { mobile } })),
  });
}
