import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** Milliseconds between polls while a payment is being confirmed, and while the bank works on a debit. */
const POLL_MS = 3000;
const DEBIT_POLL_MS = 60_000;

/** `GET /pay-links/{code}`: the renewal behind the link; `returned` is the payment with which the browser returned. */
export const payLinkQuery = (code: string, returned: string) =>
  queryOptions({
    queryKey: ['pay-link', code, returned],
    queryFn: ({ signal }) =>
      data(
        api.GET('/pay-links/{code}', {
          params: { path: { code }, query: returned ? { transaction_id: returned } : {} },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => {
      if (state.data?.renewal?.undecided_debit) return DEBIT_POLL_MS;
      return state.data?.state === 'confirming' ? POLL_MS : false;
    },
  });

/** `POST /pay-links/{code}/request`: opens the payment, or resumes the open one. */
export function usePayLink(code: string) {
  return useMutation({
    mutationFn: (body: components['schemas']['PayLinkRequest']) =>
      data(api.POST('/pay-links/{code}/request', { params: { path: { code } }, body })),
  });
}
