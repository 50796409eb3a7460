import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { getSession, updateSession } from '@/lib/session/session';
import { addressQuery } from './address';

type AddressUpdate = components['schemas']['AddressUpdate'];

/** `POST /profile/address`: adds or changes the business address. */
export function useSaveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AddressUpdate) => envelope(api.POST('/profile/address', { body })),
    meta: { toast: 'fields' },
    onSuccess: ({ data }) => {
      const { user, franchiserID } = getSession();
      if (user) updateSession({ user: { ...user, has_address: true } });
      client.setQueryData(addressQuery(franchiserID ?? '').queryKey, data);
    },
  });
}
