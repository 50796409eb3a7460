import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { keepPaymentMethod, readPaymentMethod, type PaymentMethod } from '@/lib/payment-method';
import { Notice } from '@/ui/notice';
import './preference.scss';

const names: Record<PaymentMethod, string> = { card: t`Card`, upi: 'UPI', netbanking: t`Netbanking` };

export interface PreferenceProps {
  /** What one UPI payment may be at most, if the total is more. */
  upiLimit: string | null;
}

/**
 * Buttons to choose how to pay: the gateway's page opens on the chosen method. Choosing is optional, and no payment data is entered here.
 * UPI is hidden for a total above its limit.
 */
export function Preference({ upiLimit }: PreferenceProps) {
  const [chosen, setChosen] = useState(readPaymentMethod);
  const handleChoose = (method: PaymentMethod) => {
    keepPaymentMethod(method);
    setChosen(method);
  };
  const offered = (Object.keys(names) as PaymentMethod[]).filter((method) => method !== 'upi' || !upiLimit);
  return (
    <fieldset>
      <legend className="text-sm">{t`How would you like to pay?`}</legend>
      {upiLimit && <UpiLimit limit={upiLimit} />}
      <div className="pay-by-methods">
        {offered.map((method) => (
          <label key={method} className="choice-card choice-card-sm">
            <input
              type="radio"
              name="pay-by"
              value={method}
              checked={chosen === method}
              onChange={() => handleChoose(method)}
            />
            <span className="choice-text">{names[method]}</span>
          </label>
        ))}
      </div>
      <p className="text-muted text-sm">{t`The secure payment page opens on your choice. To pay another way, change it here first.`}</p>
    </fieldset>
  );
}

/** Tells the payer before the gateway's page that UPI cannot carry the total. */
export function UpiLimit({ limit }: { limit: string }) {
  return (
    <Notice>{t`One UPI payment can be ${limit} at most. Choose card or net banking on the secure payment page.`}</Notice>
  );
}
