import type { components } from '@/lib/api/schema.gen';
import type { Tone } from '../notice';

type Schemas = components['schemas'];

/** The outcome of a payment, as worded on every screen. */
export type PaymentView = Schemas['PaymentState']['state'] | 'unpaid' | 'cancelled' | 'returned' | 'owed' | 'refunded';

export interface PaymentWords {
  tone: Tone;
  /** In a list. */
  label: string;
  /** On its own: the page's name, and what is announced. */
  title: string;
}

/** The words for a payment's state, for the lists and the result page alike. */
export const paymentWords: Record<PaymentView, PaymentWords> = {
  unpaid: { tone: 'warning', label: 'Unpaid', title: 'No payment yet' },
  confirming: { tone: 'info', label: 'Being confirmed', title: 'Confirming your payment' },
  paid: { tone: 'success', label: 'Paid', title: 'Order placed' },
  failed: { tone: 'danger', label: 'Failed', title: 'Payment failed' },
  cancelled: { tone: 'info', label: 'Cancelled', title: 'Payment cancelled' },
  expired: { tone: 'danger', label: 'Expired', title: 'Payment expired' },
  held: { tone: 'warning', label: 'Under review', title: 'Payment under review' },
  returned: { tone: 'info', label: 'Given back', title: 'Money given back' },
  owed: { tone: 'warning', label: 'Refund delayed', title: 'Refund delayed' },
  refunded: { tone: 'info', label: 'Refunded', title: 'Money given back' },
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
