import { t } from '@lingui/core/macro';
import CompanyIcon from 'bootstrap-icons/icons/building.svg?component';
import PayIcon from 'bootstrap-icons/icons/shield-lock.svg?component';
import InvoiceIcon from 'bootstrap-icons/icons/receipt.svg?component';
import { operator } from '@/lib/operator';

/** The seller, the payment methods, and the invoice. */
export function Trust() {
  return (
    <ul className="container home-trust" aria-label={t`Who you buy from`}>
      <li>
        <CompanyIcon />
        <span>
          <b>{operator.name}</b>
          <span className="home-trust-more">{operator.registration}</span>
        </span>
      </li>
      <li>
        <PayIcon />
        <span>
          <b>{t`UPI, RuPay, Visa, Mastercard, net banking`}</b>
          <span className="home-trust-more">{t`on the secure page of our payment provider`}</span>
        </span>
      </li>
      <li>
        <InvoiceIcon />
        <span>
          <b>{t`GST invoice for every payment`}</b>
          <span className="home-trust-more">{t`with your GSTIN, for input tax credit`}</span>
        </span>
      </li>
    </ul>
  );
}
