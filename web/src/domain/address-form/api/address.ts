import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/address/{id}`: the account's business address; null if not entered. Another tab may change it. */
export function addressQuery(franchiserId: string) {
  return queryOptions({
    queryKey: ['address', franchiserId],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/profile/address/{id}', { params: { path: { id: franchiserId } }, signal })))[0] ?? null,
    refetchOnWindowFocus: 'always',
    meta: { toast: 'refresh' },
    enabled: franchiserId !== '',
  });
}
