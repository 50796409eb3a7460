import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/custom-domain/{id}`: the store's domains; the id is the tenant's. */
export const domainViewQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['domain-view', tenantId],
    queryFn: ({ signal }) =>
      data(api.GET('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } }, signal })),
  });
