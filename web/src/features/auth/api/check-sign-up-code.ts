import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

interface Code {
  mobile: string;
  otp: string;
}

/** `POST /mobile/validate-otp`: a right code gives the verification with which the account is created. */
export function useCheckSignUpCode() {
  return useMutation({ mutationFn: (body: Code) => data(api.POST('/mobile/validate-otp', { body })) });
}
