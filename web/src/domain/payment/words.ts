import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import type { Tone } from '@/ui/notice';

type Schemas = components['schemas'];

/** The outcome of a payment, as worded on every screen. */
export type PaymentView = Schemas['PaymentState']['state'] | 'cancelled' | 'returned' | 'owed' | 'refunded';

export interface PaymentWords {
  tone: Tone;
  /** In a list. */
  label: string;
  /** Page title and announcement. */
  title: string;
}

/** The words for a payment's state, for the lists and the result page alike. */
export const paymentWords: Record<PaymentView, PaymentWords> = {
  unpaid: { tone: 'warning', label: t`Unpaid`, title: t`No payment yet` },
  confirming: { tone: 'info', label: t`Being confirmed`, title: t`Confirming your payment` },
  paid: { tone: 'success', label: t`Paid`, title: t`Order placed` },
  failed: { tone: 'danger', label: t`Failed`, title: t`Payment failed` },
  cancelled: { tone: 'info', label: t`Cancelled`, title: t`Payment cancelled` },
  expired: { tone: 'danger', label: t`Expired`, title: t`Payment expired` },
  held: { tone: 'warning', label: t`Under review`, title: t`Payment under review` },
  returned: { tone: 'info', label: t`Returned`, title: t`Money refunded` },
  owed: { tone: 'warning', label: t`Refund delayed`, title: t`Refund delayed` },
  refunded: { tone: 'info', label: t`Refunded`, title: t`Money refunded` },
};

export interface PaymentFacts {
  state: Schemas['PaymentState']['state'];
  cancelled: boolean;
  captured: string | null;
  refund_state: Schemas['RefundState'];
}

/** Its state, unless it is refunded or the customer cancelled it. A capture that bought nothing is always refunded. */
export function viewOf({ state, cancelled, captured, refund_state: back }: PaymentFacts): PaymentView {
  if (state === 'paid' && (back === 'fully' || back === 'charged_back')) return 'refunded';
  if (state === 'failed' && captured !== null) return back === 'looked_at' ? 'owed' : 'returned';
  return state === 'failed' && cancelled ? 'cancelled' : state;
}
