import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/payments/status/{transaction_id}`: the state of a payment, polled until it is final. */
export const paymentStatusQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payment-status', transactionId],
    queryFn: ({ signal }) =>
      data(
        api.GET('/subscription/payments/status/{transaction_id}', {
          params: { path: { transaction_id: transactionId } },
          signal,
        }),
      ),
    enabled: transactionId !== '',
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.poll_after ? state.data.poll_after * 1000 : false),
    refetchOnWindowFocus: ({ state }) => Boolean(state.data?.poll_after),
    meta: { quiet: true },
  });
