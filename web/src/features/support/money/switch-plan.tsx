import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { ChoicesField } from '@/ui/form/choices-field';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { Async } from '@/ui/states';
import { soldPlansQuery, type ActContent, type SoldTier } from '../api/acts';
import type { Customer } from '../api/customers';
import { ActFieldsDialog } from '../shared/act-dialog';
import { customerName } from '../customers/customer-words';

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
  onClose: () => void;
}

interface Choice {
  tier: string;
  type: 'monthly' | 'yearly';
  settlement: Settlement;
  /** Units by add-on; add-ons that are not listed keep their owned units. */
  units: Record<string, string>;
}

const owned = (c: Customer, name: string) => c.add_ons.filter((one) => one === name).length;

const unitsOf = (c: Customer, choice: Choice, { id, name }: SoldTier['addOns'][number]) =>
  Number(choice.units[id] ?? owned(c, name));

const nameOfUnits = (count: number) => (count === 0 ? 'Not included' : count === 1 ? 'Included' : `${count} units`);

function SwitchFields({ customer, tiers }: { customer: Customer; tiers: readonly SoldTier[] }) {
  const { watch, setValue } = useFormContext<Choice>();
  const choice = watch();
  const tier = tiers.find(({ id }) => id === choice.tier);
  return (
    <>
      <NativeSelectField
        name="tier"
        label="Other plan"
        empty="Choose a plan"
        options={tiers.map(({ id, title }) => [id, title])}
      />
      <NativeSelectField
        name="type"
        label="Paid"
        options={[
          ['monthly', 'By the month'],
          ['yearly', 'By the year'],
        ]}
      />
      {tier?.addOns.map((addOn) => (
        <NativeSelectField
          key={addOn.id}
          label={addOn.name}
          options={Array.from({ length: Math.max(1, owned(customer, addOn.name)) + 1 }, (_, count) => [
            String(count),
            nameOfUnits(count),
          ])}
          value={String(unitsOf(customer, choice, addOn))}
          onChange={(count) => setValue('units', { ...choice.units, [addOn.id]: count })}
        />
      ))}
      <ChoicesField name="settlement" label="When, and who pays" options={settlements} />
    </>
  );
}

/** Collects the target plan of a switch; the preview compares it with today's plan and shows the price difference. */
export function SwitchPlan({ customer, onClose }: SwitchPlanProps) {
  const sold = useQuery(soldPlansQuery);
  const addOnsOf = (choice: Choice) =>
    (sold.data?.find(({ id }) => id === choice.tier)?.addOns ?? []).flatMap((addOn) =>
      Array.from({ length: unitsOf(customer, choice, addOn) }, () => addOn.id),
    );
  const values: Choice = {
    tier: '',
    type: customer.plan_type === 'yearly' ? 'yearly' : 'monthly',
    settlement: 'refund',
    units: {},
  };
  return (
    <ActFieldsDialog
      kind="switch_plan"
      who={customerName(customer)}
      values={values}
      problemsOf={({ tier }) => ({ tier: tier ? undefined : 'Choose a plan.' })}
      contentOf={(choice) => ({
        customer_id: customer.id,
        plan_services_id: choice.tier,
        plan_type: choice.type,
        add_ons_service_id: addOnsOf(choice),
        settlement: choice.settlement,
      })}
      onClose={onClose}
    >
      <Async query={sold} what="the plans">
        {(tiers) => <SwitchFields customer={customer} tiers={tiers} />}
      </Async>
    </ActFieldsDialog>
  );
}
