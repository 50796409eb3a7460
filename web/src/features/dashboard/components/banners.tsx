import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { debitSentence } from '@/domain/payment/debit-notice';
import { RenewButton } from '@/domain/payment/renew-button';
import { TrialEndedNotice } from '@/domain/payment/renewal-notice';
import { formatDate, formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import type { Subscription } from '../state';

const BACK = '/dashboard';

type Refunds = NonNullable<Subscription['refunds']>;

function gatewaySentence({ by_gateway: amount, gateway_on: on }: Refunds): string {
  if (!amount) return '';
  return on
    ? t`${amount} was refunded on ${formatDate(on)} the way you paid.`
    : t`${amount} is being refunded the way you paid.`;
}

function transferSentence({ by_transfer: amount, transfer_on: on }: Refunds): string {
  if (!amount) return '';
  return on
    ? t`${amount} was refunded on ${formatDate(on)} by bank transfer.`
    : t`${amount} is being refunded by bank transfer.`;
}

/** Which amount of a refunded plan is or was refunded by which way. */
const refundSentence = (refunds: Refunds): string =>
  [gatewaySentence(refunds), transferSentence(refunds)].filter(Boolean).join(' ');

function ChoosePlan() {
  return <ButtonLink to="/pricing" size="sm">{t`Choose a plan`}</ButtonLink>;
}

/**
 * The most urgent notices: an expired plan, the grace period, the end of a trial. While the account is to be erased they offer nothing, as
 * the notice above them explains.
 */
export function Banners({ subscription }: { subscription: Subscription }) {
  const { eraseOn } = useSession();
  const bill = useQuery({ ...nextBillQuery, enabled: subscription.state === 'grace' && !eraseOn });
  const { id, state, expired_message: expired, notice, ended_by_refund: refunded, payment_type } = subscription;
  const debit = state === 'grace' ? bill.data?.debit : null;
  if (expired && !refunded && payment_type === 'free trial')
    return <TrialEndedNotice renewOn={subscription.plan_renew_on} />;
  if (expired && refunded) {
    return (
      <Notice>
        <div className="banner-row">
          <p className="fw-bold">{t`${expired}.`}</p>
          {subscription.refunds && <p>{refundSentence(subscription.refunds)}</p>}
          {!eraseOn && (
            <>
              <p>{t`Your data is kept. You can choose a plan at any time.`}</p>
              <ChoosePlan />
            </>
          )}
        </div>
      </Notice>
    );
  }
  if (expired) {
    return (
      <Notice tone="danger">
        <div className="banner-row">
          <p className="fw-bold">{expired}</p>
          {!eraseOn && <p>{t`Your data is kept. Renew to add outlets and add-ons again.`}</p>}
          <RenewButton subscriptionId={id} back={BACK} />
        </div>
      </Notice>
    );
  }
  // ScheduledNotice shows a scheduled change.
  if (!notice || (state === 'active' && subscription.scheduled_change)) return null;
  return (
    <Notice tone={subscription.notice_tone}>
      <div className="banner-row">
        <p>
          {(eraseOn || debit) && state === 'grace'
            ? t`Your plan ended on ${formatLastDay(subscription.plan_renew_on)}.`
            : notice}
        </p>
        {debit && <p>{debitSentence(debit)}</p>}
        {state === 'grace' && <RenewButton subscriptionId={id} back={BACK} />}
        {state === 'trialing' && !eraseOn && <ChoosePlan />}
      </div>
    </Notice>
  );
}
