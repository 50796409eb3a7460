import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { getSession } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { addressQuery } from './address';

type AddressUpdate = components['schemas']['AddressUpdate'];

/** `POST /profile/address`: adds or changes the business address. */
export function useSaveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AddressUpdate) => envelope(api.POST('/profile/address', { body })),
    meta: { toast: 'fields', invalidates: [sessionQuery.queryKey] },
    onSuccess: ({ data }) => client.setQueryData(addressQuery(getSession().franchiserID ?? '').queryKey, data),
  });
}
