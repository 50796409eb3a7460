import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** Poll intervals in milliseconds: for a domain waiting for its DNS records, and for a domain being checked right now. */
const LOOK_AGAIN_MS = 15_000;
const LOOKING_MS = 1000;

/** `GET /subscription/custom-domain/{id}`: the domain, its state and the records to enter; the id is the tenant's. */
export const customDomainQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [...dashboardQuery.queryKey, 'custom-domain', tenantId],
    queryFn: ({ signal }) =>
      data(api.GET('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } }, signal })),
    refetchInterval: ({ state: { data: domain } }) => {
      if (!domain) return false;
      if (domain.checking) return LOOKING_MS;
      return domain.state === 'pending' || domain.state === 'broken' ? LOOK_AGAIN_MS : false;
    },
  });
