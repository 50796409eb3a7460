import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { dashboardQuery } from '@/components/payment/api/dashboard';

/** `PUT /subscription/password/update/{id}`: changes the store's password; the id is the tenant's. */
export function useUpdateStorePassword(tenantId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      envelope(
        api.PUT('/subscription/password/update/{id}', { params: { path: { id: tenantId } }, body: { password } }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true }),
  });
}
