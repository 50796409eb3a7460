import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/store/details`: the store's name, type and username; its password is never returned. */
export const storeDetailsQuery = queryOptions({
  queryKey: ['store-details'],
  queryFn: ({ signal }) => data(api.GET('/profile/store/details', { signal })),
  meta: { toast: 'refresh' },
});
