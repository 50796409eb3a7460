import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { Notice } from '@/components/notice';
import { readPaymentMethod, type PaymentMethod } from '@/lib/payment-method';
import { withReturn } from '@/lib/session/redirect';

const names: Record<PaymentMethod, string> = { card: 'card', upi: 'UPI', netbanking: t`net banking` };

export interface PreferenceProps {
  /** The URL that leads back to this choice. */
  back: string;
  /** What one UPI payment may be at most, if the total is more. */
  upiLimit: string | null;
}

/** The payment method with which the gateway's page will open, whether UPI can carry the total, and a link to change the method. */
export function Preference({ back, upiLimit }: PreferenceProps) {
  const method = readPaymentMethod();
  const opensOn = method === 'upi' && upiLimit ? null : method;
  return (
    <div className="stack-sm">
      {upiLimit && <UpiLimit limit={upiLimit} />}
      <p className="text-sm">
        {opensOn && <>{t`The secure payment page opens on ${names[opensOn]}. `}</>}
        <Link to={withReturn('/payment', back)}>
          {method ? t`Prefer another way to pay` : t`Choose how you would like to pay`}
        </Link>
      </p>
    </div>
  );
}

/** Tells the payer before the gateway's page that UPI cannot carry the total. */
export function UpiLimit({ limit }: { limit: string }) {
  return (
    <Notice>{t`One UPI payment can be ${limit} at most. Choose card or net banking on the secure payment page.`}</Notice>
  );
}
