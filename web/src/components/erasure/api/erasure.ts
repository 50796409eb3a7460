import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/erasure`: whether the account is to be erased, when, and what is kept even so. */
export const erasureQuery = queryOptions({
  queryKey: ['erasure'],
  queryFn: ({ signal }) => data(api.GET('/profile/erasure', { signal })),
});
