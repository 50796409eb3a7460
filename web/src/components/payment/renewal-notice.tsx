import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { components } from '@/lib/api/schema.gen';
import { formatDate, formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { ButtonLink } from '../button';
import { Notice, type Tone } from '../notice';
import { nextBillQuery } from './api/next-bill';
import { RenewButton } from './renew-button';
import './payment.scss';

type NextBill = components['schemas']['NextBill'];

/** What there is to renew, and how urgent that is. */
function wordsOf({ state, plan_name, service_name, total, renew_on, pay_by }: NextBill): [Tone, string] {
  const plan = `${plan_name} · ${service_name}`;
  if (state === 'expired' || state === 'lapsed')
    return ['danger', `Your plan has ended. ${plan} can be renewed for ${total}.`];
  if (state === 'grace')
    return [
      'warning',
      `Your plan ended on ${formatLastDay(renew_on)}. Renew ${plan} by ${formatDate(pay_by)} for ${total} to keep it.`,
    ];
  return ['info', `${plan} renews on ${formatDate(renew_on)} for ${total}.`];
}

/** For a plan that ended and cannot be renewed, as a free trial: the way to another one. None while the account is to be erased. */
export function PlanEndedNotice() {
  const { data: bill } = useQuery(nextBillQuery);
  const { planEnded, eraseOn } = useSession();
  if (bill !== null || !planEnded || eraseOn) return null;
  return (
    <Notice tone="warning">
      <div className="banner-row">
        <p>Your plan or free trial has ended. Choose a plan to go on.</p>
        <ButtonLink to="/pricing" size="sm">
          Choose a plan
        </ButtonLink>
      </div>
    </Notice>
  );
}

/** The renewal that is open now, with the way to pay it: here the reminders by SMS lead. None while the account is to be erased. */
export function RenewalNotice() {
  const { pathname, search } = useLocation();
  const { data: bill } = useQuery(nextBillQuery);
  const { eraseOn } = useSession();
  if (!bill?.can_renew || eraseOn) return null;
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
