import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type RegisterStart = components['schemas']['RegisterStart'];

/** `POST /register`, first step: keeps a pending sign-up and sends the code. */
export function useStartRegistration() {
  return useMutation({ mutationFn: (body: RegisterStart) => envelope(api.POST('/register', { body })) });
}
