import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button, ButtonLink } from '@/ui/button';
import { Notice, StatusText } from '@/ui/notice';
import { runs } from '@/domain/payment/api/dashboard';
import { latePart } from '@/start/page/late';
import { formatDate, formatLastDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import type { OwnedAddOn, Subscription } from '../state';
import { Card } from './card';

const AddOnChangeDialog = latePart(async () => (await import('./add-on-change-dialog')).AddOnChangeDialog);
const BuyAddOns = latePart(async () => (await import('./buy-add-ons')).BuyAddOns);

interface RowProps {
  addOn: OwnedAddOn;
  changeable: boolean;
  /** The day from which a planned change drops the add-on, or an empty string. */
  dropsOn: string;
  onChange: () => void;
}

function AddOnRow({ addOn, changeable, dropsOn, onChange }: RowProps) {
  const renews = addOn.next_billing_cycle_status === 1;
  return (
    <li className="add-on-row">
      <div>
        <p className="fw-bold">{addOn.add_ons_service_name}</p>
        <p className="text-muted text-sm">{addOn.desc || t`${addOn.count.toLocaleString('en-IN')} each`}</p>
        {addOn.charged_once && <p className="text-muted text-sm">{t`Charged once. It stays yours.`}</p>}
        {!renews && <StatusText tone="warning">{t`Ends on ${formatDate(addOn.ends_on)}`}</StatusText>}
        {renews && dropsOn && (
          <StatusText tone="warning">{t`Ends on ${formatLastDay(dropsOn)} with your change of plan`}</StatusText>
        )}
      </div>
      <p className="tabular fw-bold add-on-amount">{addOn.add_ons_service_amount}</p>
      {changeable && !addOn.charged_once && !(renews && dropsOn) && (
        <Button variant="outline" size="sm" onClick={onChange}>
          {renews ? t`Cancel` : t`Reactivate`}
          <span className="visually-hidden"> {addOn.add_ons_service_name}</span>
        </Button>
      )}
    </li>
  );
}

/** Why no add-ons can be bought at the moment; empty if they can. */
function blockedBy({ state, payment_type, expired_message: expired, notice }: Subscription): string {
  if (payment_type === 'free trial') return t`Choose a plan first: the free trial takes no add-ons.`;
  if (expired) return t`${expired}. Please renew your plan.`;
  if (state === 'grace') return `${notice || t`Your plan has ended.`} ${t`Please renew your plan.`}`;
  return '';
}

/** The plan's add-ons: active ones, those ending with the cycle, and buying more. */
export function AddOnsCard({ subscription, addOns }: { subscription: Subscription; addOns: readonly OwnedAddOn[] }) {
  const [changing, setChanging] = useState<OwnedAddOn | null>(null);
  const [buying, setBuying] = useState(false);
  const [refused, setRefused] = useState('');
  const { expired_message: expired, scheduled_change: change } = subscription;
  const { eraseOn } = useSession();
  const blocked = blockedBy(subscription);
  const ended = !runs(subscription);

  const handleAdd = () => {
    setRefused(blocked);
    if (!blocked) setBuying(true);
  };

  // A plan that can be renewed keeps the button: the specification explains the block there.
  const needsPlan = ended && (subscription.ended_by_refund || subscription.payment_type === 'free trial');
  const action = needsPlan ? (
    <ButtonLink to="/pricing" variant="outline" size="sm">{t`Choose a plan`}</ButtonLink>
  ) : (
    <Button variant="outline" size="sm" onClick={handleAdd}>{t`Add add-ons`}</Button>
  );
  return (
    <Card title={t`Add-ons`} action={!eraseOn && action}>
      {refused && (
        <Notice tone="warning" live>
          {refused}
        </Notice>
      )}
      {addOns.length === 0 && (
        <p className="text-muted">
          {ended ? t`No add-ons.` : t`No add-ons yet.`}{' '}
          {!eraseOn &&
            !ended &&
            (subscription.state === 'trialing'
              ? t`More franchises, more users or an app of their own for your customers can be added once you have chosen a plan.`
              : t`More franchises, more users or an app of their own for your customers can be added at any time.`)}
        </p>
      )}
      {addOns.length > 0 && (
        <ul className="plain-list">
          {addOns.map((addOn) => (
            <AddOnRow
              key={addOn.id}
              addOn={addOn}
              changeable={!expired}
              dropsOn={change?.dropped_add_ons.some(({ id }) => id === addOn.id) ? change.on : ''}
              onChange={() => setChanging(addOn)}
            />
          ))}
        </ul>
      )}
      <AddOnChangeDialog open={changing !== null} addOn={changing} onClose={() => setChanging(null)} />
      <BuyAddOns open={buying} subscriptionId={subscription.id} onClose={() => setBuying(false)} />
    </Card>
  );
}
