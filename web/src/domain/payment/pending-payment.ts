import { atom, getDefaultStore } from 'jotai';
import type { components } from '@/lib/api/schema.gen';
import type { Charge, RequestExtras } from './charge';

/** A payment that was handed to the gateway: the data needed to request the same session again, without any secret. */
export interface PendingPayment {
  charge: Charge;
  extras: RequestExtras;
  /** The key by which the server identifies this attempt. */
  key: string;
  amount: string;
  transactionId: string;
  /** Where to go if the customer does not pay. */
  back: string;
}

export type GatewayDetails = components['schemas']['GatewayDetails'];

const KEY = 'franchise360-pending-payment';

function read(): PendingPayment | null {
  if (typeof sessionStorage === 'undefined') return null;
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as PendingPayment | null;
    return typeof stored?.key === 'string' && typeof stored.transactionId === 'string' && 'charge' in stored
      ? stored
      : null;
  } catch {
    return null;
  }
}

const stateAtom = atom<PendingPayment | null | undefined>(undefined);

/** The payment in progress in this tab, or null. It survives the trip to the gateway and back. */
export const pendingPaymentAtom = atom(
  (get) => {
    const held = get(stateAtom);
    return held === undefined ? read() : held;
  },
  (_get, set, next: PendingPayment | null) => {
    set(stateAtom, next);
    try {
      if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
      else sessionStorage.removeItem(KEY);
    } catch {
      // If storage is blocked, the payment can be found under Renewals & Billing.
    }
  },
);

/** The form for the gateway's page, kept only in memory. */
export const gatewayDetailsAtom = atom<GatewayDetails | null>(null);

/** Deletes a payment that is finished. */
export function forgetPayment(transactionId: string): void {
  const store = getDefaultStore();
  if (store.get(pendingPaymentAtom)?.transactionId !== transactionId) return;
  store.set(pendingPaymentAtom, null);
  store.set(gatewayDetailsAtom, null);
}
