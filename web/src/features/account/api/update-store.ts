import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';
import { storeDetailsQuery } from './store-details';

type StoreUpdate = components['schemas']['StoreUpdate'];

/** `POST /profile/store/update`: changes the store's name and type, and sets its password if it has no password yet. */
export function useUpdateStore() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: StoreUpdate) => envelope(api.POST('/profile/store/update', { body })),
    // The header and the dashboard show the store's name too.
    meta: { invalidates: [sessionQuery.queryKey, ['dashboard']] },
    onSuccess: ({ data }) => client.setQueryData(storeDetailsQuery.queryKey, data),
  });
}
