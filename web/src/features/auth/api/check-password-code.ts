import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

interface Code {
  mobile: string;
  otp: string;
}

/** `POST /password/validate-otp`: exchanges a correct code for the verification that allows setting the password. */
export function useCheckPasswordCode() {
  return useMutation({
    mutationFn: (body: Code) => envelope(api.POST('/password/validate-otp', { body })),
  });
}
