import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { beginAutomaticRenewal } from './api/begin-automatic-renewal';
import { previewAddOns } from './api/preview-add-ons';
import { previewPlan } from './api/preview-plan';
import { previewRenewal } from './api/preview-renewal';
import { requestAddOns } from './api/request-add-ons';
import { requestPlan } from './api/request-plan';
import { requestRenewal } from './api/request-renewal';

type Schemas = components['schemas'];

/** What is being paid for: a plan, add-ons for the current plan, or the plan's next term, alone or with consent to debit those after it. */
export type Charge =
  | { of: 'plan'; selection: Schemas['PlanSelection'] }
  | { of: 'add-ons'; selection: Schemas['AddOnSelection'] }
  | { of: 'renewal'; selection: Schemas['RenewSelection'] }
  | {
      of: 'automatic-renewal';
      selection: Schemas['RenewSelection'];
      consent: Schemas['AutomaticRenewalRequest'];
    };

function preview(charge: Charge, signal: AbortSignal): Promise<Schemas['PaymentPreview']> {
  switch (charge.of) {
    case 'plan':
      return previewPlan(charge.selection, signal);
    case 'add-ons':
      return previewAddOns(charge.selection, signal);
    case 'renewal':
    case 'automatic-renewal':
      return previewRenewal(charge.selection, signal);
  }
}

/** The charge line by line as the server computes it. It depends on the day, so it is fetched each time. */
export const previewQuery = (charge: Charge) =>
  queryOptions({
    queryKey: ['payment-preview', charge],
    queryFn: ({ signal }) => preview(charge, signal),
    staleTime: 0,
  });

/** What a payment request contains besides the charge. */
export interface RequestExtras {
  /** The total in paise that was shown. */
  expected_total: number;
  payment_method?: Schemas['PaymentMethod'];
  /** The customer's confirmation to pay although the bank may still make an undecided debit. */
  pay_despite_debit?: true;
}

/** Requests a gateway session for a charge; the same key returns the same session. */
export function requestPayment(charge: Charge, extras: RequestExtras, key: string) {
  switch (charge.of) {
    case 'plan':
      return requestPlan({ ...charge.selection, ...extras }, key);
    case 'add-ons':
      return requestAddOns({ ...charge.selection, ...extras }, key);
    case 'renewal':
      return requestRenewal({ ...charge.selection, ...extras }, key);
    case 'automatic-renewal':
      return beginAutomaticRenewal(charge.consent);
  }
}
