import { Link } from 'react-router';
import { readPaymentMethod, type PaymentMethod } from '@/lib/payment-method';
import { withReturn } from '@/lib/session/redirect';

const names: Record<PaymentMethod, string> = { card: 'card', upi: 'UPI', netbanking: 'net banking' };

/** The payment method with which the gateway's page will open, and a link to change it. */
export function Preference({ back }: { back: string }) {
  const method = readPaymentMethod();
  return (
    <p className="text-sm">
      {method && <>The secure payment page opens on {names[method]}. </>}
      <Link to={withReturn('/payment', back)}>
        {method ? 'Prefer another way to pay' : 'Choose how you would like to pay'}
      </Link>
    </p>
  );
}
