import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type LoginTotpRequest = components['schemas']['LoginTotpRequest'];

/** `POST /login/totp`: finishes a sign-in with the authenticator's code or a recovery code. */
export function useLoginTotp() {
  return useMutation({
    mutationFn: (body: LoginTotpRequest) => envelope(api.POST('/login/totp', { body })),
  });
}
