import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import type { Charge } from '../charge';

export type Transfer = components['schemas']['Transfer'];

/** The common query key prefix of all bank transfers. */
export const transfersKey = ['transfers'] as const;

/** `GET /transfers`: whether payment by transfer is offered, and the newest proformas. */
export const transfersQuery = queryOptions({
  queryKey: transfersKey,
  queryFn: ({ signal }) => data(api.GET('/transfers', { signal })),
});

/** Milliseconds between two looks at a bill that waits for its money. */
const LOOK_AGAIN_MS = 15_000;

/** `GET /transfers/{id}`: one proforma, looked at again while it is being printed or waits for its money. */
export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: [...transfersKey, id],
    queryFn: ({ signal }) => data(api.GET('/transfers/{id}', { params: { path: { id } }, signal })),
    meta: { toast: 'refresh' },
    refetchInterval: ({ state }) => {
      if (!state.data || state.data.state !== 'open') return false;
      return state.data.printed ? LOOK_AGAIN_MS : 2000;
    },
  });

/** A charge that may be paid by transfer. */
export type TransferCharge = Exclude<Charge, { of: 'add-ons' }>;

/**
 * Requests the proforma of a charge; repeating the request returns the same proforma. `despiteDebit` requests it although the bank may
 * still make an undecided debit.
 */
export function requestTransfer(
  charge: TransferCharge,
  expectedTotal: number,
  poNumber: string,
  key: string,
  despiteDebit: boolean,
) {
  const params = { header: { 'Idempotency-Key': key } };
  const extras = {
    expected_total: expectedTotal,
    po_number: poNumber,
    ...(despiteDebit && { pay_despite_debit: true as const }),
  };
  return charge.of === 'plan'
    ? envelope(api.POST('/transfers/plan', { body: { ...charge.selection, ...extras }, params }))
    : envelope(api.POST('/transfers/renewal', { body: { ...charge.selection, ...extras }, params }));
}

/** `POST /transfers/{id}/utr`: tells the number of the transfer. */
export const tellUtr = (id: string, utr: string) =>
  envelope(api.POST('/transfers/{id}/utr', { params: { path: { id } }, body: { utr } }));

/** `POST /transfers/{id}/cancel`: cancels a proforma for which no money came. */
export function useCancelTransfer(id: string) {
  return useMutation({
    mutationFn: () => envelope(api.POST('/transfers/{id}/cancel', { params: { path: { id } } })),
    meta: { invalidates: [transfersKey] },
  });
}

/** `GET /transfers/{id}/proforma`: a link to the PDF, null while it is being printed. */
export const proformaLink = (id: string) => data(api.GET('/transfers/{id}/proforma', { params: { path: { id } } }));
