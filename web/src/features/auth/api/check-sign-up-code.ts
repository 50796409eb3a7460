import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

interface Code {
  mobile: string;
  otp: string;
}

/** `POST /mobile/validate-otp`: exchanges a correct code for the verification that allows creating the account. */
export function useCheckSignUpCode() {
  return useMutation({
    mutationFn: (body: Code) => data(api.POST('/mobile/validate-otp', { body })),
  });
}
