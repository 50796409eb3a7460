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

/** Saves the method, and nothing else that was typed. */
export function keepPaymentMethod(method: PaymentMethod): void {
  try {
    localStorage.setItem(KEY, method);
  } catch {
    // The user then chooses the method at the gateway.
  }
}
