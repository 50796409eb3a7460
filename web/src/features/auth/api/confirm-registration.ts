import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type RegisterConfirm = components['schemas']['RegisterConfirm'];

async function confirm(body: RegisterConfirm) {
  const { data, message } = await envelope(api.POST('/register', { body }));
  if (!('franchiser-user' in data)) throw new Error('The account was not created. Please request a new code.');
  return { message, user: data['franchiser-user'] };
}

/** `POST /register`, second step: creates the account and signs it in. */
export function useConfirmRegistration() {
  return useMutation({ mutationFn: confirm });
}
