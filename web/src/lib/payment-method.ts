/** How a person prefers to pay; the gateway's page opens on it. */
export type PaymentMethod = 'card' | 'upi' | 'netbanking';

const KEY = 'franchise360-payment-method';

/** The kept preference; null where none was given. */
export function readPaymentMethod(): PaymentMethod | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'card' || stored === 'upi' || stored === 'netbanking' ? stored : null;
  } catch {
    return null;
  }
}

/** Keeps the method, and nothing else of what was typed. */
export function keepPaymentMethod(method: PaymentMethod): void {
  try {
    localStorage.setItem(KEY, method);
  } catch {
    // The gateway then asks.
  }
}
