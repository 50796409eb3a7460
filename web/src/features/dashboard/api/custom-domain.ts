import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** Milliseconds between two looks at a domain that is being checked. */
const LOOK_AGAIN_MS = 15_000;

/** `GET /subscription/custom-domain/{id}`: the domain, its state and the records to enter; the id is the tenant's. */
export const customDomainQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['dashboard', 'custom-domain', tenantId],
    queryFn: ({ signal }) => data(api.GET('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' || state.data?.state === 'broken' ? LOOK_AGAIN_MS : false),
    meta: { quiet: true },
  });
