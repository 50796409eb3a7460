import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { startSession } from '@/lib/session/session';

type StoreCreate = components['schemas']['StoreCreate'];

/** `POST /tenant/create`: creates the account's store. */
export function useCreateStore() {
  return useMutation({
    mutationFn: (body: StoreCreate) => envelope(api.POST('/tenant/create', { body })),
    meta: { toast: 'redirect', invalidates: 'account' },
    onSuccess: ({ data }) => startSession(data['franchiser-user']),
  });
}
