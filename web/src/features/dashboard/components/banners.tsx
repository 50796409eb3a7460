import { ButtonLink } from '@/components/button';
import { Notice } from '@/components/notice';
import { RenewButton } from '@/components/payment/renew-button';
import { TrialEndedNotice } from '@/components/payment/renewal-notice';
import { formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import type { Subscription } from '../state';

const BACK = '/dashboard';

function ChoosePlan() {
  return (
    <ButtonLink to="/pricing" size="sm">
      Choose a plan
    </ButtonLink>
  );
}

/**
 * What a person must know before anything else: an expired plan, days of grace, the end of a trial. While the account is to be erased
 * nothing is offered, as the notice above them says.
 */
export function Banners({ subscription }: { subscription: Subscription }) {
  const { id, state, expired_message: expired, notice, ended_by_refund: refunded, payment_type } = subscription;
  const { eraseOn } = useSession();
  if (expired && !refunded && payment_type === 'free trial')
    return <TrialEndedNotice renewOn={subscription.plan_renew_on} />;
  if (expired && refunded) {
    return (
      <Notice>
        <div className="banner-row">
          <p className="fw-bold">{expired}.</p>
          {!eraseOn && (
            <>
              <p>Your store and your data are kept. You can choose a plan at any time.</p>
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
          {!eraseOn && <p>Your store and your data are kept. New add-ons and franchises wait for the renewal.</p>}
          <RenewButton subscriptionId={id} back={BACK} />
        </div>
      </Notice>
    );
  }
  if (!notice) return null;
  return (
    <Notice tone={state === 'grace' ? 'warning' : 'info'}>
      <div className="banner-row">
        <p>
          {eraseOn && state === 'grace' ? `Your plan ended on ${formatLastDay(subscription.plan_renew_on)}.` : notice}
        </p>
        {state === 'grace' && <RenewButton subscriptionId={id} back={BACK} />}
        {state === 'trialing' && !eraseOn && <ChoosePlan />}
      </div>
    </Notice>
  );
}
