import { useId, useState } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { Notice } from '@/components/notice';
import { usePayment } from '@/components/payment/use-payment';
import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { methodWords, type AutomaticRenewal, type MandateChoice } from '../automatic-renewal';

const BACK = '/dashboard/automatic-renewal';

interface ConsentProps {
  choice: MandateChoice;
  subscriptionId: string;
  onClose: () => void;
}

/** The words to agree to, with a box that nobody has ticked yet; agreeing leads to the gateway. */
function Consent({ choice, subscriptionId, onClose }: ConsentProps) {
  const [agreed, setAgreed] = useState(false);
  const [missed, setMissed] = useState(false);
  const payment = usePayment({ back: BACK });
  const id = useId();
  const handleAgree = () => {
    setMissed(!agreed);
    if (!agreed) return;
    const consent = {
      method: choice.method,
      consented: true,
      consent_version: choice.consent_version,
      consent_text: choice.consent_text,
    };
    payment.pay({ of: 'automatic-renewal', selection: { subscription_id: subscriptionId }, consent }, 0);
  };
  const footer = (
    <>
      <Button variant="quiet" onClick={onClose}>
        Not now
      </Button>
      <Button pending={payment.pending} onClick={handleAgree}>
        Continue to payment
      </Button>
    </>
  );
  return (
    <Modal open title={`Automatic renewal by ${methodWords[choice.method]}`} onClose={onClose} footer={footer}>
      <div className="stack-sm">
        {payment.problem && (
          <Notice tone="danger" live>
            {explain(payment.problem)}
          </Notice>
        )}
        <p>You pay the renewal that is open now, and allow the ones after it in the same step.</p>
        <div className="form-check">
          <input
            id={id}
            type="checkbox"
            className="form-check-input"
            checked={agreed}
            aria-invalid={missed && !agreed}
            aria-describedby={missed && !agreed ? `${id}-error` : undefined}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <label htmlFor={id} className="form-check-label">
            {choice.consent_text}
          </label>
        </div>
        {missed && !agreed && (
          <p id={`${id}-error`} className="text-danger text-sm" role="alert">
            Please read what you agree to, and tick it.
          </p>
        )}
      </div>
    </Modal>
  );
}

/** The methods by which renewals can be debited, and what each allows. */
export function AutomaticRenewalSetup({ renewal }: { renewal: AutomaticRenewal }) {
  const [chosen, setChosen] = useState<MandateChoice | null>(null);
  const { choices, opens_on: opensOn, subscription_id: subscriptionId } = renewal;
  return (
    <section className="panel stack-sm" aria-labelledby="set-up">
      <h2 id="set-up">Set it up</h2>
      <p>
        Agree once, and each renewal is debited on its day. We tell you a week ahead, and you can skip a debit or stop
        at any time. Without it, you pay by hand as before.
      </p>
      {opensOn !== '-' && (
        <Notice tone="info">You can set it up from {formatDate(opensOn)}, when your next renewal opens.</Notice>
      )}
      <ul className="list-unstyled stack-sm">
        {choices.map((choice) => (
          <li key={choice.method}>
            <h3 className="text-lg">{methodWords[choice.method]}</h3>
            <p className="text-muted">{choice.why ?? `At most ${choice.cap} per debit.`}</p>
            {opensOn === '-' && choice.available && subscriptionId && (
              <Button variant="outline" size="sm" onClick={() => setChosen(choice)}>
                Use {methodWords[choice.method]}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && subscriptionId && (
        <Consent choice={chosen} subscriptionId={subscriptionId} onClose={() => setChosen(null)} />
      )}
    </section>
  );
}
