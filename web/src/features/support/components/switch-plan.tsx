import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { soldPlansQuery, type ActContent, type SoldTier } from '../api/acts';
import type { Customer } from '../api/customers';
import { ActDialog } from './act-dialog';
import { actWords } from './act-words';
import { customerName } from './customer-words';

type Settlement = NonNullable<ActContent['settlement']>;

/** How a switch is settled, in the order in which it is offered. */
const settlements: [Settlement, string][] = [
  ['refund', 'Now, and what is owed goes back'],
  ['pay', 'When the customer has paid: a link is sent'],
  ['goodwill', 'Now, as goodwill until the term ends'],
  ['renewal', 'At the renewal'],
];

export interface SwitchPlanProps {
  customer: Customer;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

interface Choice {
  tier: string;
  type: 'monthly' | 'yearly';
  settlement: Settlement;
  /** Units by add-on; add-ons that are not listed keep their owned units. */
  units: Record<string, number>;
}

interface FormProps {
  customer: Customer;
  tiers: readonly SoldTier[];
  choice: Choice;
  onChange: (choice: Choice) => void;
  onSubmit: () => void;
}

const owned = (c: Customer, name: string) => c.add_ons.filter((one) => one === name).length;

const unitsOf = (c: Customer, choice: Choice, { id, name }: SoldTier['addOns'][number]) =>
  choice.units[id] ?? owned(c, name);

function AddOns({ customer, tier, choice, onChange }: Omit<FormProps, 'tiers' | 'onSubmit'> & { tier: SoldTier }) {
  return tier.addOns.map((addOn) => {
    const most = Math.max(1, owned(customer, addOn.name));
    return (
      <div key={addOn.id}>
        <label htmlFor={`switch-${addOn.id}`}>{addOn.name}</label>
        <select
          id={`switch-${addOn.id}`}
          className="input"
          value={unitsOf(customer, choice, addOn)}
          onChange={(event) =>
            onChange({ ...choice, units: { ...choice.units, [addOn.id]: Number(event.target.value) } })
          }
        >
          {Array.from({ length: most + 1 }, (_, count) => (
            <option key={count} value={count}>
              {count === 0 ? 'Not included' : count === 1 ? 'Included' : `${count} units`}
            </option>
          ))}
        </select>
      </div>
    );
  });
}

function SwitchForm({ customer, tiers, choice, onChange, onSubmit }: FormProps) {
  const [problem, setProblem] = useState('');
  const tier = tiers.find(({ id }) => id === choice.tier);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tier) onSubmit();
    else setProblem('Choose a plan.');
  };
  return (
    <form className="reason-form" onSubmit={submit} noValidate>
      <p>{actWords.switch_plan.effect}</p>
      <label htmlFor="switch-tier">Other plan</label>
      <select
        id="switch-tier"
        className="input"
        value={choice.tier}
        aria-invalid={problem !== ''}
        aria-describedby={problem ? 'switch-tier-problem' : undefined}
        onChange={(event) => onChange({ ...choice, tier: event.target.value, units: {} })}
      >
        <option value="">Choose a plan</option>
        {tiers.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {problem && !tier && (
        <p id="switch-tier-problem" role="alert" className="console-error">
          {problem}
        </p>
      )}
      <label htmlFor="switch-type">Paid</label>
      <select
        id="switch-type"
        className="input"
        value={choice.type}
        onChange={(event) => onChange({ ...choice, type: event.target.value === 'yearly' ? 'yearly' : 'monthly' })}
      >
        <option value="monthly">By the month</option>
        <option value="yearly">By the year</option>
      </select>
      {tier && <AddOns customer={customer} tier={tier} choice={choice} onChange={onChange} />}
      <fieldset className="money-kind">
        <legend>When, and who pays</legend>
        {settlements.map(([settlement, label]) => (
          <label key={settlement}>
            <input
              type="radio"
              name="switch-settlement"
              checked={choice.settlement === settlement}
              onChange={() => onChange({ ...choice, settlement })}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <Button type="submit">Show what it would do</Button>
    </form>
  );
}

/** Collects the target plan of a switch; the next dialog compares it with today's plan and shows the price difference. */
export function SwitchPlan({ customer, onDone, onClose }: SwitchPlanProps) {
  const sold = useQuery(soldPlansQuery);
  const [choice, setChoice] = useState<Choice>({
    tier: '',
    type: customer.plan_type === 'yearly' ? 'yearly' : 'monthly',
    settlement: 'refund',
    units: {},
  });
  const [asked, setAsked] = useState(false);
  const tier = sold.data?.find(({ id }) => id === choice.tier);
  if (asked && tier)
    return (
      <ActDialog
        content={{
          kind: 'switch_plan',
          customer_id: customer.id,
          plan_services_id: tier.id,
          plan_type: choice.type,
          add_ons_service_id: tier.addOns.flatMap((addOn) =>
            Array.from({ length: unitsOf(customer, choice, addOn) }, () => addOn.id),
          ),
          settlement: choice.settlement,
        }}
        who={customerName(customer)}
        onDone={onDone}
        onClose={onClose}
        onBack={() => setAsked(false)}
      />
    );
  return (
    <Modal
      open
      title={`${actWords.switch_plan.title}: ${customerName(customer)}`}
      onClose={onClose}
      closeOnBackdrop={false}
    >
      {sold.data ? (
        <SwitchForm
          customer={customer}
          tiers={sold.data}
          choice={choice}
          onChange={setChoice}
          onSubmit={() => setAsked(true)}
        />
      ) : sold.error ? (
        <ErrorState error={sold.error} onRetry={() => void sold.refetch()} what="the plans" />
      ) : (
        <Loading what="the plans" onRetry={() => void sold.refetch()}>
          <Skeleton lines={4} />
        </Loading>
      )}
    </Modal>
  );
}
