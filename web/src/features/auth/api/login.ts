import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type LoginRequest = components['schemas']['LoginRequest'];

/** `POST /login`: returns a session, or a request for the authenticator's code. */
export function useLogin() {
  return useMutation({
    mutationFn: (body: LoginRequest) => envelope(api.POST('/login', { body })),
  });
}
