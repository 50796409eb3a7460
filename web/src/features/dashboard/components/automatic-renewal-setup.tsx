import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useRef, useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { usePayment } from '@/domain/payment/use-payment';
import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { methodName, type AutomaticRenewal, type MandateChoice } from '../automatic-renewal';

const BACK = '/dashboard/automatic-renewal';

interface ConsentProps {
  choice: MandateChoice;
  subscriptionId: string;
  onClose: () => void;
}

/** The consent text with an unticked box; agreeing opens the gateway. */
function Consent({ choice, subscriptionId, onClose }: ConsentProps) {
  const [agreed, setAgreed] = useState(false);
  const [missed, setMissed] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const payment = usePayment({ back: BACK });
  const id = useId();
  const handleAgree = () => {
    setMissed(!agreed);
    if (!agreed) {
      box.current?.focus();
      return;
    }
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
        <Trans>Not now</Trans>
      </Button>
      <Button pending={payment.pending} onClick={handleAgree}>
        {choice.without_payment ? <Trans>Continue to your bank</Trans> : <Trans>Pay {choice.pays_now} and agree</Trans>}
      </Button>
    </>
  );
  return (
    <Modal open title={t`Automatic renewal by ${methodName(choice.method)}`} onClose={onClose} footer={footer}>
      <div className="stack-sm">
        {payment.problem && (
          <Notice tone="danger" live>
            {explain(payment.problem)}
          </Notice>
        )}
        <p>
          {choice.without_payment ? (
            <Trans>
              Nothing is paid now. On the next page you enter your account, and allow the debits with netbanking, debit
              card or Aadhaar. Your bank may debit ₹1 or ₹2 to check the account, and refunds it within days.
            </Trans>
          ) : (
            <Trans>
              You pay {choice.pays_now} now for the renewal that is due, and allow the ones after it in the same step.
            </Trans>
          )}
        </p>
        <div className="check">
          <input
            ref={box}
            id={id}
            type="checkbox"
            checked={agreed}
            aria-invalid={missed && !agreed}
            aria-describedby={missed && !agreed ? `${id}-error` : undefined}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <label htmlFor={id}>{choice.consent_text}</label>
        </div>
        {missed && !agreed && (
          <p id={`${id}-error`} className="text-danger text-sm" role="alert">
            <Trans>Please read what you agree to, and tick the box.</Trans>
          </p>
        )}
      </div>
    </Modal>
  );
}

/** Why a method cannot be set up, or its limit and opening day. */
function reasonOf({ method, why, opens_on: opensOn, cap, bill }: MandateChoice): string {
  if (why) return t`${methodName(method)} takes bills up to ${cap}; yours is ${bill}. Please pay it manually.`;
  if (opensOn !== '-') return t`You can set it up from ${formatDate(opensOn)}, when your next renewal opens.`;
  return t`At most ${cap} per debit.`;
}

function BankTakesDays() {
  return <Trans>Nothing is paid now. Your bank confirms it within days; you pay manually until then.</Trans>;
}

/** The methods by which renewals can be debited, and what each allows. */
export function AutomaticRenewalSetup({ renewal }: { renewal: AutomaticRenewal }) {
  const [chosen, setChosen] = useState<MandateChoice | null>(null);
  const { choices, subscription_id: subscriptionId } = renewal;
  return (
    <section className="panel stack-sm" aria-labelledby="set-up">
      <h2 id="set-up">
        <Trans>Set it up</Trans>
      </h2>
      <p>
        <Trans>
          Agree once, and each renewal is debited on its due date. We tell you a week ahead, or at least two days if
          there is less time. You can skip a debit or stop at any time. Without it, you pay manually as before.
        </Trans>
      </p>
      <ul className="plain-list stack mandate-choices">
        {choices.map((choice) => (
          <li key={choice.method}>
            <h3 className="text-lg">{methodName(choice.method)}</h3>
            <p className="text-muted">
              {reasonOf(choice)} {choice.without_payment && choice.available && <BankTakesDays />}
            </p>
            {choice.opens_on === '-' && choice.available && subscriptionId && (
              <Button variant="outline" size="sm" onClick={() => setChosen(choice)}>
                <Trans>Use {methodName(choice.method)}</Trans>
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
