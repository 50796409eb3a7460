import { useMutation, useQueryClient } from '@tanstack/react-query';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { api, envelope } from '@/lib/api/client';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `PUT /subscription/add-ons-services/update/{id}`: cancels (0) or reactivates (1) an add-on from the next cycle. */
export function useUpdateAddOn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: 0 | 1 }) =>
      envelope(api.PUT('/subscription/add-ons-services/update/{id}', { params: { path: { id } }, body: { status } })),
    meta: { invalidates: [nextBillQuery.queryKey] },
    onSuccess: ({ data }) =>
      client.setQueryData(dashboardQuery.queryKey, (before) => before && { ...before, add_ons_services: data }),
  });
}
