/** The preferred payment method, with which the gateway's page opens. */
export type PaymentMethod = 'card' | 'upi' | 'netbanking';

const KEY = 'franchise360-payment-method';

/** The saved preference, or null. */
export function readPaymentMethod(): PaymentMethod | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'card' || stored === 'upi' || stored === 'netbanking' ? stored : null;
  } catch {
    return null;
  }
}

/** Deletes the preference after a payment that did not succeed: the gateway's page then offers every method. */
export function forgetPaymentMethod(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so that no method was saved.
  }
}

/** Saves the method, and nothing else that was typed. */
export function keepPaymentMethod(method: PaymentMethod): void {
  try {
    localStorage.setItem(KEY, method);
  } catch {
    // The user then chooses the method at the gateway.
  }
}
