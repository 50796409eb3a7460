import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { customDomainQuery } from './custom-domain';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `PUT /subscription/custom-domain/{id}`: sets the domain and starts a check; sending the same domain again repeats the check. */
export function useUpdateCustomDomain(tenantId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (custom_domain: string) =>
      envelope(
        api.PUT('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } }, body: { custom_domain } }),
      ),
    onSuccess: async ({ data }) => {
      client.setQueryData(customDomainQuery(tenantId).queryKey, data);
      await client.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true });
    },
  });
}
