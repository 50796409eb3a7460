import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/store/details`: the store's name, type and username; its password is never returned. Another tab may change it. */
export const storeDetailsQuery = queryOptions({
  queryKey: ['store-details'],
  queryFn: ({ signal }) => data(api.GET('/profile/store/details', { signal })),
  refetchOnWindowFocus: 'always',
  meta: { toast: 'refresh' },
});
