import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { toApiError } from '@/lib/api/errors';

/** Milliseconds before the next poll if the server was unreachable. */
const ASK_AGAIN_MS = 5000;

/** True if the server was unreachable or failed, so that a retry may succeed. */
const unanswered = (error: unknown) => {
  const { status } = toApiError(error);
  return status === 0 || status >= 500;
};

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
    refetchInterval: ({ state: { data: payment, error } }) => {
      if (payment?.poll_after) return payment.poll_after * 1000;
      return !payment && error && unanswered(error) ? ASK_AGAIN_MS : false;
    },
    refetchOnWindowFocus: ({ state }) => Boolean(state.data?.poll_after),
  });
