import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import ClockIcon from 'bootstrap-icons/icons/clock.svg?component';
import DashIcon from 'bootstrap-icons/icons/dash.svg?component';
import LateIcon from 'bootstrap-icons/icons/exclamation-circle-fill.svg?component';
import WaitsIcon from 'bootstrap-icons/icons/exclamation-triangle-fill.svg?component';
import { useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { StatusText } from '@/ui/notice';
import { runs } from '@/domain/payment/api/dashboard';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { allParts } from '@/content/delivery';
import { formatDate, formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { deliveriesQuery } from '../api/deliveries';
import { stateText, type Subscription } from '../state';
import { Card } from './card';
import { sorted, statusOf, type Delivery } from './delivery-rows';

/** Number of features shown before the list is expanded. */
const SHOWN_FIRST = 4;

type Feature = Subscription['plan_features'][number];

/** The delivery that says most about a feature: for "Everything in …", the one that is furthest from done. */
function deliveryFor(name: string, all: readonly Delivery[]): Delivery | undefined {
  const parts = allParts([name]);
  const { done, waiting, open } = sorted(all.filter((one) => parts.includes(one.name)));
  return open.find(({ late }) => late) ?? waiting[0] ?? open[0] ?? done[0];
}

const icons = { success: CheckIcon, danger: LateIcon, warning: WaitsIcon, info: ClockIcon };

/** A feature with a tick if it is delivered; otherwise with the state of its delivery. Null: the deliveries are not known. */
function FeatureItem({ feature, deliveries }: { feature: Feature; deliveries: readonly Delivery[] | null }) {
  const { features: name, desc } = feature;
  const delivery = deliveries && deliveryFor(name, deliveries);
  const { tone, text } = delivery ? statusOf(delivery) : { tone: 'success' as const, text: '' };
  const Icon = !deliveries || delivery?.state === 'not_applicable' ? DashIcon : icons[tone];
  return (
    <li>
      <span className={`feature-state status-${deliveries ? tone : 'info'}`}>
        <Icon />
      </span>
      <span>
        {name}
        {tone !== 'success' && (
          <>
            {' '}
            <span className={tone === 'info' ? 'visually-hidden' : `status-${tone} fw-bold d-block text-sm`}>
              {text}
            </span>
          </>
        )}
        {desc && <span className="text-muted d-block text-sm">{desc}</span>}
      </span>
    </li>
  );
}

interface FeaturesProps {
  features: Subscription['plan_features'];
  ended: boolean;
  deliveries: readonly Delivery[] | null;
}

function Features({ features, ended, deliveries }: FeaturesProps) {
  const [all, setAll] = useState(false);
  const id = useId();
  const shown = all ? features : features.slice(0, SHOWN_FIRST);
  return (
    <div>
      {ended && <p className="text-muted mb-3">{t`Until it ended, your plan included:`}</p>}
      <ul
        id={id}
        className={ended ? 'tick-list tick-list-wide text-muted' : 'tick-list tick-list-wide'}
        aria-label={ended ? t`Features your plan included` : t`Features of your plan`}
      >
        {shown.map((feature) => (
          <FeatureItem key={feature.features} feature={feature} deliveries={deliveries} />
        ))}
      </ul>
      {features.length > SHOWN_FIRST && (
        <button
          type="button"
          className="btn-text mt-3"
          aria-expanded={all}
          aria-controls={id}
          onClick={() => setAll(!all)}
        >
          {all ? t`Show fewer features` : t`Show all ${features.length} features`}
        </button>
      )}
    </div>
  );
}

/** How much of the franchise limit is used. */
export function FranchiseMeter({ current, limit }: Subscription['franchises']) {
  const id = useId();
  return (
    <div className="limit-meter">
      <p id={id}>
        <Trans>
          <b className="tabular">{current}</b> of <b className="tabular">{limit}</b> franchises used
        </Trans>
      </p>
      <meter aria-labelledby={id} min={0} max={Math.max(limit, 1)} value={current} high={Math.max(limit - 1, 0)} />
    </div>
  );
}

/** The label for the end of the current term, and its date: a term renews on the day after its last one. */
function endOf({ state, payment_type, plan_renew_on }: Subscription, leaving: boolean): [string, string] {
  if (state === 'expired' || state === 'lapsed' || state === 'grace')
    return [t`Ended on`, formatLastDay(plan_renew_on)];
  if (payment_type === 'free trial' || leaving) return [t`Ends on`, formatLastDay(plan_renew_on)];
  return [t`Renews on`, formatDate(plan_renew_on)];
}

/** The plan's state in words. A renewal that the bank is debiting, or that is announced, is not overdue. */
function useStateWords({ state, ended_by_refund: refunded }: Subscription) {
  const { eraseOn } = useSession();
  const { data: bill } = useQuery({ ...nextBillQuery, enabled: state === 'grace' && !eraseOn });
  if (refunded) return { tone: 'info', label: t`Ended: refunded` } as const;
  if (state === 'grace' && bill?.debit) return { tone: 'info', label: t`Automatic renewal in progress` } as const;
  return stateText[state];
}

/** What is charged, with GST, and the list price where a discount is taken off it. */
function PriceDetails({ subscription }: { subscription: Subscription }) {
  const { plan_price: list, plan_net_price: net, plan_charge: charge } = subscription;
  return (
    <>
      <span className="text-sm d-block tabular">{t`${charge} with GST`}</span>
      {list !== net && (
        <span className="text-muted text-sm d-block tabular">{t`List price ${list} before GST and add-ons, less the annual discount`}</span>
      )}
    </>
  );
}

/** The plan: name, price and renewal date first, then its features. */
export function PlanCard({ subscription }: { subscription: Subscription }) {
  const { state, plan_name, service_name, payment_type, plan_features, franchises } = subscription;
  const { eraseOn } = useSession();
  const yearly = payment_type === 'annually';
  const ended = !runs(subscription);
  const changeable = payment_type !== 'free trial' && (state === 'active' || state === 'grace');
  const [endLabel, endDay] = endOf(subscription, eraseOn !== null);
  const { tone, label } = useStateWords(subscription);
  const delivers = !ended && payment_type !== 'free trial';
  const { data: deliveries } = useQuery({ ...deliveriesQuery, enabled: delivers });
  return (
    <Card
      title={t`Your plan`}
      action={
        !eraseOn && (
          <ButtonLink to={changeable ? '/dashboard/change-plan' : '/pricing'} variant="outline" size="sm">
            {changeable ? t`Change plan` : t`Choose a plan`}
          </ButtonLink>
        )
      }
    >
      <div className="plan-facts">
        <div>
          <p className="plan-fact-main">
            {plan_name} <span className="text-muted">· {service_name}</span>
          </p>
          <StatusText tone={tone}>{label}</StatusText>
        </div>
        <dl>
          <div>
            <dt>{t`Price`}</dt>
            <dd>
              <span className="tabular">{subscription.plan_net_price}</span>{' '}
              <span className="text-muted text-sm">
                {payment_type === 'free trial' ? t`free trial` : yearly ? t`/billed annually` : t`/billed monthly`}
              </span>
              {payment_type !== 'free trial' && <PriceDetails subscription={subscription} />}
            </dd>
          </div>
          <div>
            <dt>{endLabel}</dt>
            <dd className="tabular">{endDay}</dd>
          </div>
        </dl>
      </div>
      {!ended && <FranchiseMeter {...franchises} />}
      <Features
        features={plan_features}
        ended={ended}
        deliveries={ended ? null : delivers ? (deliveries ?? null) : []}
      />
    </Card>
  );
}
