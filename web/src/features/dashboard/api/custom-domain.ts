import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type CustomDomain = components['schemas']['CustomDomain'];

/** Poll intervals in milliseconds: for a domain waiting for its DNS records, and for one that is being checked right now. */
const LOOK_AGAIN_MS = 15_000;
const LOOKING_MS = 1000;

/** The domain's `checked_at` when a recheck was requested; undefined if none was. */
export type AskedAfter = string | null | undefined;

/** True while DNS is being checked, for the first time or again. */
export function isBeingChecked(domain: CustomDomain, askedAfter: AskedAfter): boolean {
  return domain.custom_domain !== null && (domain.checked_at === null || domain.checked_at === askedAfter);
}

/** `GET /subscription/custom-domain/{id}`: the domain, its state and the records to enter; the id is the tenant's. */
export const customDomainQuery = (tenantId: string, askedAfter?: AskedAfter) =>
  queryOptions({
    queryKey: ['dashboard', 'custom-domain', tenantId],
    queryFn: ({ signal }) =>
      data(api.GET('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } }, signal })),
    refetchInterval: ({ state: { data: domain } }) => {
      if (!domain) return false;
      if (isBeingChecked(domain, askedAfter)) return LOOKING_MS;
      return domain.state === 'pending' || domain.state === 'broken' ? LOOK_AGAIN_MS : false;
    },
    meta: { quiet: true },
  });
