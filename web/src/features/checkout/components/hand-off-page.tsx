import { t } from '@lingui/core/macro';
import LockIcon from 'bootstrap-icons/icons/shield-lock.svg?component';
import PauseIcon from 'bootstrap-icons/icons/pause-circle.svg?component';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { Notice } from '@/ui/notice';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { GatewayForm } from '@/domain/payment/gateway-form';
import type { PendingPayment } from '@/domain/payment/pending-payment';
import { isRefusal } from '@/domain/payment/refusal';
import { explain, toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { useSession } from '@/lib/session/session';
import { paymentStatusQuery } from '@/domain/payment/api/payment-status';
import { WayOn } from '@/ui/way-on';
import { useHandOff } from '../hand-off';
import './checkout.scss';

function Amount({ pending }: { pending: PendingPayment }) {
  return (
    <dl className="order-facts">
      <div>
        <dt>{t`Amount`}</dt>
        <dd className="tabular text-lg">{pending.amount}</dd>
      </div>
      <div>
        <dt>{t`Order Id`}</dt>
        <dd className="tabular">{pending.transactionId}</dd>
      </div>
    </dl>
  );
}

/** True if a mandate is set up without a payment: the page that began it shows its state. */
const paysNothing = ({ charge }: PendingPayment) =>
  charge.of === 'automatic-renewal' && charge.consent.method === 'enach';

interface ResumeProps {
  pending: PendingPayment;
  resuming: boolean;
  problem: unknown;
  onResume: () => void;
}

/** Shown after Back from the gateway: the payment's outcome so far, and how to continue. */
function Resume({ pending, resuming, problem, onResume }: ResumeProps) {
  const status = useQuery(paymentStatusQuery(pending.transactionId));
  const { eraseOn } = useSession();
  const state = status.data?.state;
  if (state && state !== 'confirming' && state !== 'unpaid') {
    return (
      <Navigate
        to={`/checkout/result/${state === 'paid' ? 'success' : 'failed'}?transaction_id=${encodeURIComponent(pending.transactionId)}`}
        replace
      />
    );
  }
  return (
    <>
      <PauseIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{t`Your payment is not finished`}</h1>
      <p className="text-muted">{t`You came back before it was complete. If you have already paid, the payment shows under Renewals & Billing within minutes.`}</p>
      <Amount pending={pending} />
      {Boolean(problem) && (
        <Notice tone="danger" live>
          {explain(problem)}
          <div>
            <WayOn to={toApiError(problem).redirectTo} back={pending.back} className="mt-2" />
          </div>
        </Notice>
      )}
      <LeavingNotice />
      <div className="result-actions">
        {!eraseOn && !isRefusal(problem) && (
          <Button size="lg" pending={resuming} onClick={onResume}>{t`Resume payment`}</Button>
        )}
        <ButtonLink to={pending.back} variant="outline" size="lg">{t`Change the order`}</ButtonLink>
      </div>
    </>
  );
}

/** Shown when no payment is pending: sends the person to choose an order, unless the account is to be erased. */
function NothingWaits() {
  const { eraseOn } = useSession();
  return (
    <>
      <h1 tabIndex={-1}>{t`No payment is waiting`}</h1>
      <p className="text-muted">{t`Payments that you started elsewhere are listed under Renewals & Billing.`}</p>
      <LeavingNotice />
      <div className="result-actions">
        {!eraseOn && <ButtonLink to="/pricing">{t`Explore Our Plans`}</ButtonLink>}
        <ButtonLink to="/subscription_list" variant="outline">{t`Renewals & Billing`}</ButtonLink>
      </div>
    </>
  );
}

/** Hands over to the gateway's page: the amount, the order, and a self-submitting form. */
export function HandOffPage() {
  usePageMeta({ title: t`Secure payment` });
  const { pending, details, resume } = useHandOff();
  return (
    <div className="hand-off">
      <header className="hand-off-head">
        <Logo />
      </header>
      <main id="content" tabIndex={-1} className="result">
        {!pending && <NothingWaits />}
        {pending && details && (
          <>
            <LockIcon className="result-icon" />
            <h1 tabIndex={-1}>
              {paysNothing(pending) ? t`Taking you to your bank…` : t`Taking you to the secure payment page…`}
            </h1>
            {!paysNothing(pending) && <Amount pending={pending} />}
            <p className="text-muted" role="status">
              {paysNothing(pending)
                ? t`Please keep this window open. You are brought back here afterwards.`
                : t`Please keep this window open. You are brought back here after paying.`}
            </p>
            <GatewayForm details={details} />
          </>
        )}
        {pending && !details && paysNothing(pending) && <Navigate to={pending.back} replace />}
        {pending && !details && !paysNothing(pending) && (
          <Resume
            pending={pending}
            resuming={resume.isPending}
            problem={resume.error}
            onResume={() => resume.mutate()}
          />
        )}
      </main>
    </div>
  );
}
