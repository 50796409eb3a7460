import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { keepPaymentMethod, readPaymentMethod, type PaymentMethod } from '@/lib/payment-method';

const names: Record<PaymentMethod, string> = { card: t`Card`, upi: 'UPI', netbanking: t`Netbanking` };

/** How to pay, as three buttons: the gateway's page opens on the chosen method. Nothing is typed here, and none has to be chosen. */
export function Preference() {
  const [chosen, setChosen] = useState(readPaymentMethod);
  const handleChoose = (method: PaymentMethod) => {
    keepPaymentMethod(method);
    setChosen(method);
  };
  return (
    <fieldset className="pay-by">
      <legend className="text-sm">{t`How would you like to pay?`}</legend>
      <div className="pay-by-methods">
        {(Object.keys(names) as PaymentMethod[]).map((method) => (
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
      <p className="text-muted text-sm">{t`The secure payment page opens on it, and takes every other way too.`}</p>
    </fieldset>
  );
}
