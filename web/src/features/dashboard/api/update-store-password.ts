import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `PUT /subscription/password/update/{id}`: changes the store's password; the id is the tenant's. */
export function useUpdateStorePassword(tenantId: string) {
  return useMutation({
    mutationFn: (body: components['schemas']['TenantPasswordUpdate']) =>
      envelope(api.PUT('/subscription/password/update/{id}', { params: { path: { id: tenantId } }, body })),
    meta: { invalidates: [dashboardQuery.queryKey] },
  });
}
