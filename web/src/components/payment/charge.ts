import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { previewAddOns } from './api/preview-add-ons';
import { previewPlan } from './api/preview-plan';
import { previewRenewal } from './api/preview-renewal';
import { requestAddOns } from './api/request-add-ons';
import { requestPlan } from './api/request-plan';
import { requestRenewal } from './api/request-renewal';

type Schemas = components['schemas'];

/** What is to be paid for: a plan, add-ons of a running plan, or the plan's next term. */
export type Charge =
  | { of: 'plan'; selection: Schemas['PlanSelection'] }
  | { of: 'add-ons'; selection: Schemas['AddOnSelection'] }
  | { of: 'renewal'; selection: Schemas['RenewSelection'] };

function preview(charge: Charge, signal: AbortSignal): Promise<Schemas['PaymentPreview']> {
  switch (charge.of) {
    case 'plan':
      return previewPlan(charge.selection, signal);
    case 'add-ons':
      return previewAddOns(charge.selection, signal);
    case 'renewal':
      return previewRenewal(charge.selection, signal);
  }
}

/** The charge line by line as the server computes it. It depends on the day, so it is asked for anew each time. */
export const previewQuery = (charge: Charge) =>
  queryOptions({
    queryKey: ['payment-preview', charge],
    queryFn: ({ signal }) => preview(charge, signal),
    staleTime: 0,
    meta: { quiet: true },
  });

/** What goes along with a payment request beside the charge itself. */
export interface RequestExtras {
  /** The total in paise that the person saw. */
  expected_total: number;
  payment_method?: Schemas['PaymentMethod'];
}

/** Asks for a gateway session for a charge; the same key asks for the same session again. */
export function requestPayment(charge: Charge, extras: RequestExtras, key: string) {
  switch (charge.of) {
    case 'plan':
      return requestPlan({ ...charge.selection, ...extras }, key);
    case 'add-ons':
      return requestAddOns({ ...charge.selection, ...extras }, key);
    case 'renewal':
      return requestRenewal({ ...charge.selection, ...extras }, key);
  }
}
