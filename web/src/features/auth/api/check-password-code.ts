import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

interface Code {
  mobile: string;
  otp: string;
}

/** `POST /password/validate-otp`: a right code gives the verification with which the password may be set. */
export function useCheckPasswordCode() {
  return useMutation({ mutationFn: (body: Code) => envelope(api.POST('/password/validate-otp', { body })) });
}
