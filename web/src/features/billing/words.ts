import { t } from '@lingui/core/macro';
import type { Charge } from '@/domain/payment/charge';
import type { Tone } from '@/ui/notice';
import { moneyBackText } from '@/domain/payment/money-back';
import { paymentWords, viewOf, type PaymentWords } from '@/domain/payment/words';
import type { components } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];
export type OrderRow = Schemas['OrderRow'];
export type PaymentRow = Schemas['PaymentRow'];

/** The badge tone of each order status. */
export const orderTone: Record<OrderRow['subscription_status_value'], Tone> = {
  Inactive: 'warning',
  Active: 'success',
  'Free trial': 'info',
  Grace: 'warning',
  Expired: 'danger',
  Scheduled: 'info',
  Replaced: 'info',
  Cancelled: 'info',
  'Under review': 'warning',
  'Being confirmed': 'info',
  Refunded: 'info',
};

/** Each order status in words. */
export const orderLabel: Record<OrderRow['subscription_status_value'], string> = {
  Inactive: t`Inactive`,
  Active: t`Active`,
  'Free trial': t`Free trial`,
  Grace: t`Grace`,
  Expired: t`Expired`,
  Scheduled: t`Scheduled`,
  Replaced: t`Replaced`,
  Cancelled: t`Cancelled`,
  'Under review': t`Under review`,
  'Being confirmed': t`Being confirmed`,
  Refunded: t`Refunded`,
};

/** The payment outcome of an unpaid order; empty without a payment or while it is in progress. */
export function unpaidText({
  subscription_status_value: status,
  payment_state: state,
  cancelled,
  captured,
  refund_state,
  reason,
}: OrderRow): string {
  if ((status !== 'Inactive' && status !== 'Cancelled') || !state || state === 'confirming') return '';
  const view = viewOf({ state, cancelled, captured, refund_state });
  return [t`${paymentWords[view].title}.`, view !== 'cancelled' && reason].filter(Boolean).join(' ');
}

type StatusWords = Pick<PaymentWords, 'tone' | 'label'>;

/** The words for each payment status. */
const statusWords: Record<Schemas['PaymentStatus'], StatusWords> = {
  0: paymentWords.unpaid,
  1: paymentWords.paid,
  2: { tone: 'danger', label: t`Overdue` },
  3: { tone: 'info', label: t`Prepayment` },
  4: { tone: 'info', label: t`Free trial` },
  5: paymentWords.expired,
};

/** States in which a bank or a colleague still has to act or decide, or has decided against us. */
const warns = new Set<PaymentRow['refund_state']>(['disputed', 'charged_back', 'looked_at']);

/** A payment's status in words: its refund state, if that says more than "unpaid". */
export function statusOf(row: PaymentRow): StatusWords {
  const { payment_status, state, refund_state } = row;
  if (row.cancelled) return paymentWords.cancelled;
  if (state === 'failed') return paymentWords.failed;
  if (state === 'pending') return paymentWords.confirming;
  const back = moneyBackText(row, row.payable_total);
  if (back) {
    const bought = row.invoice_id !== null && refund_state === 'looked_at';
    return {
      tone: warns.has(refund_state) ? 'warning' : 'info',
      label:
        bought || refund_state === 'partly' || refund_state === 'disputed'
          ? `${paymentWords.paid.label} · ${back}`
          : back,
    };
  }
  if (state === 'held') return paymentWords.held;
  if (state === 'refunded') return paymentWords.refunded;
  return statusWords[payment_status];
}

const methodNames: Record<string, string> = {
  upi: 'UPI',
  card: t`Card`,
  netbanking: t`Net banking`,
  wallet: t`Wallet`,
  bank_transfer: t`Bank transfer`,
};

export function methodName(slug: string): string {
  return methodNames[slug] ?? slug;
}

/** The charge that pays this order; null if it cannot be paid from here. */
export function chargeOf(row: OrderRow): Charge | null {
  if (row.kind === 'trial' || row.kind === 'downgrade' || row.kind === 'switch') return null;
  if (row.kind === 'add_on') {
    return row.subscription_id
      ? {
          of: 'add-ons',
          selection: { subscription_id: row.subscription_id, add_ons_service_id: row.add_ons_service_id },
        }
      : null;
  }
  if (row.kind === 'renewal')
    return row.subscription_id ? { of: 'renewal', selection: { subscription_id: row.subscription_id } } : null;
  return {
    of: 'plan',
    selection: {
      plan_type: row.plan_type,
      plan_services_id: row.plan_services_id,
      add_ons_service_id: row.add_ons_service_id,
    },
  };
}
