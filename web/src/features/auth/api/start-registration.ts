import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { components } from '@/lib/api/schema.gen';

type RegisterStart = components['schemas']['RegisterStart'];

/** `POST /register`, first step: stores a pending sign-up and sends the code. */
export function useStartRegistration() {
  return useMutation({
    mutationFn: (body: RegisterStart) =>
      envelope(api.POST('/register', { body, params: { header: { 'Idempotency-Key': newIdempotencyKey() } } })),
  });
}
