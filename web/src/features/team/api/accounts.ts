import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

export type AccountChoice = components['schemas']['AccountChoice'];

/** `GET /accounts`: the accounts that the person may act in, the own one first. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => data(api.GET('/accounts', { signal })),
  staleTime: 0,
});
