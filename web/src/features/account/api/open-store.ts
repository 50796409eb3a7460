import { queryOptions } from '@tanstack/react-query';
import { askedOnce } from '@/lib/api/asked-once';
import { api, data } from '@/lib/api/client';

/**
 * `POST /profile/store/entry`: a link that signs in at the store's own host. It is valid once and for a minute, so it is fetched once per
 * page and never cached.
 */
export const openStoreQuery = (page: string) =>
  queryOptions({
    ...askedOnce,
    queryKey: ['open-store', page],
    queryFn: () => data(api.POST('/profile/store/entry')),
  });
