import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate, useSearchParams } from 'react-router';
import { Notice } from '@/ui/notice';
import { Tabs } from '@/ui/tabs';
import { keepPaymentMethod, type PaymentMethod } from '@/lib/payment-method';
import { RETURN_PARAM, safePath } from '@/lib/session/redirect';
import { useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { usePageMeta } from '@/lib/page-meta';
import { CardForm, NetbankingForm, UpiForm } from './method-forms';

const names: Record<PaymentMethod, string> = { card: t`Card`, upi: 'UPI', netbanking: t`Netbanking` };

/** The preferred payment method. Nothing typed here is sent or stored; only the method is kept, for the gateway's page. */
export function PaymentPage() {
  usePageMeta({ title: t`Payment preference` });
  const { isActive } = useSession();
  const [search] = useSearchParams();
  const navigate = useNavigate();

  const handleChosen = (method: PaymentMethod) => {
    keepPaymentMethod(method);
    toast.success(t`${names[method]} is kept as your preference`);
    const back = safePath(search.get(RETURN_PARAM));
    if (back) {
      void navigate(back);
      return;
    }
    const trial = isActive || search.get('segment') === 'free-trial';
    void navigate(trial ? '/store-details' : '/pricing');
  };

  return (
    <div className="container page d-flex flex-column align-items-center">
      <div className="form-card form-card-wide">
        <div className="form-intro">
          <h1 tabIndex={-1}>{t`How would you like to pay?`}</h1>
          <p className="lead">{t`The secure payment page will open on the way you prefer.`}</p>
        </div>
        <Notice>
          <Trans>
            <strong>Nothing is charged or saved here.</strong> What you type is only checked, stays in this browser and
            is cleared when you go on.
          </Trans>
        </Notice>
        <div>
          <Tabs
            label={t`Payment methods`}
            param="method"
            items={[
              { id: 'card', label: names.card, content: <CardForm onChosen={handleChosen} /> },
              { id: 'upi', label: names.upi, content: <UpiForm onChosen={handleChosen} /> },
              { id: 'netbanking', label: names.netbanking, content: <NetbankingForm onChosen={handleChosen} /> },
            ]}
          />
        </div>
      </div>
    </div>
  );
}
