import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { readPaymentMethod, type PaymentMethod } from '@/lib/payment-method';
import { withReturn } from '@/lib/session/redirect';

const names: Record<PaymentMethod, string> = { card: 'card', upi: 'UPI', netbanking: t`net banking` };

/** The payment method with which the gateway's page will open, and a link to change it. */
export function Preference({ back }: { back: string }) {
  const method = readPaymentMethod();
  return (
    <p className="text-sm">
      {method && <>{t`The secure payment page opens on ${names[method]}. `}</>}
      <Link to={withReturn('/payment', back)}>
        {method ? t`Prefer another way to pay` : t`Choose how you would like to pay`}
      </Link>
    </p>
  );
}
