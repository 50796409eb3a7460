import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `GET /subscription/add-ons-services/{id}`: the add-ons that a running subscription can buy. */
export const availableAddOnsQuery = (subscriptionId: string) =>
  queryOptions({
    queryKey: [...dashboardQuery.queryKey, 'available-add-ons', subscriptionId],
    queryFn: ({ signal }) =>
      data(api.GET('/subscription/add-ons-services/{id}', { params: { path: { id: subscriptionId } }, signal })),
  });
