import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { customDomainQuery } from './custom-domain';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `DELETE /subscription/custom-domain/{id}`: removes the custom domain; the default one stays. */
export function useRemoveCustomDomain(tenantId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => envelope(api.DELETE('/subscription/custom-domain/{id}', { params: { path: { id: tenantId } } })),
    onSuccess: async ({ data }) => {
      client.setQueryData(customDomainQuery(tenantId).queryKey, data);
      await client.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true });
    },
  });
}
