import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/erasure`: whether and when the account will be erased, and what will be kept. */
export const erasureQuery = queryOptions({
  queryKey: ['erasure'],
  queryFn: ({ signal }) => data(api.GET('/profile/erasure', { signal })),
  meta: { toast: 'refresh' },
});
