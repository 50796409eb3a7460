import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { components } from '@/lib/api/schema.gen';
import { formatDate, formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { ButtonLink } from '@/ui/button';
import { Notice, type Tone } from '@/ui/notice';
import { dashboardQuery } from './api/dashboard';
import { nextBillQuery } from './api/next-bill';
import { debitSentence } from './debit-notice';
import { RenewButton } from './renew-button';
import './payment.scss';

type NextBill = components['schemas']['NextBill'];

/** What can be renewed, and how urgent it is. */
function wordsOf({ state, plan_name, service_name, total, renew_on, pay_by }: NextBill): [Tone, string] {
  const plan = `${plan_name} · ${service_name}`;
  if (state === 'expired' || state === 'lapsed')
    return ['danger', t`Your plan has ended. ${plan} can be renewed for ${total}.`];
  if (state === 'grace')
    return [
      'warning',
      t`Your plan ended on ${formatLastDay(renew_on)}. Renew ${plan} by ${formatDate(pay_by)} for ${total} to keep it.`,
    ];
  return ['info', t`${plan} renews on ${formatDate(renew_on)} for ${total}.`];
}

/** The opening words about a free trial that has ended, the same on every page; no link to the plans on their own page. */
export function TrialEndedNotice({ renewOn }: { renewOn: string }) {
  const { pathname } = useLocation();
  const { eraseOn } = useSession();
  return (
    <Notice tone="warning">
      <div className="banner-row">
        <p className="fw-bold">{t`Your free trial ended on ${formatLastDay(renewOn)}.`}</p>
        {!eraseOn && <p>{t`Your data is kept. You can choose a plan at any time.`}</p>}
        {!eraseOn && pathname !== '/pricing' && <ButtonLink to="/pricing" size="sm">{t`Choose a plan`}</ButtonLink>}
      </div>
    </Notice>
  );
}

/** The first day after a free trial that has ended; empty if the account had no trial, undefined while loading. */
export function useEndedTrial(): string | undefined {
  const { planEnded } = useSession();
  const { data, isError } = useQuery({ ...dashboardQuery, enabled: planEnded });
  if (!planEnded || isError) return '';
  if (!data) return undefined;
  const { subscription: plan } = data;
  return plan?.payment_type === 'free trial' && plan.expired_message && !plan.ended_by_refund ? plan.plan_renew_on : '';
}

/** For an ended plan that cannot be renewed, such as a trial: a link to the plans. Hidden while an erasure is scheduled. */
export function PlanEndedNotice() {
  const { data: bill } = useQuery(nextBillQuery);
  const { planEnded, eraseOn } = useSession();
  const trial = useEndedTrial();
  if (bill !== null || !planEnded || eraseOn || trial === undefined) return null;
  if (trial) return <TrialEndedNotice renewOn={trial} />;
  return (
    <Notice tone="warning">
      <div className="banner-row">
        <p>{t`Your plan has ended. Choose a plan to continue.`}</p>
        <ButtonLink to="/pricing" size="sm">{t`Choose a plan`}</ButtonLink>
      </div>
    </Notice>
  );
}

/**
 * The renewal that is due, with a button to pay it; SMS reminders link here. For automatic renewals, it announces the debit instead. Hidden
 * while an erasure is scheduled.
 */
export function RenewalNotice() {
  const { pathname, search } = useLocation();
  const { data: bill } = useQuery(nextBillQuery);
  const { eraseOn } = useSession();
  if (!bill?.can_renew || eraseOn) return null;
  if (bill.debit)
    return (
      <Notice tone="info">
        <div className="banner-row">
          <p>{debitSentence(bill.debit)}</p>
          <ButtonLink to="/dashboard/automatic-renewal" variant="outline" size="sm">{t`Automatic renewal`}</ButtonLink>
        </div>
      </Notice>
    );
  const [tone, words] = wordsOf(bill);
  return (
    <Notice tone={tone}>
      <div className="banner-row">
        <p>{words}</p>
        <RenewButton subscriptionId={bill.subscription_id} back={pathname + search} />
      </div>
    </Notice>
  );
}
