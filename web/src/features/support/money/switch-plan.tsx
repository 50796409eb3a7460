import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoicesField } from '@/ui/form/choices-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { useAppForm, type AppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { judged } from '@/lib/validation';
import { soldPlansQuery, type ActContent, type SoldTier } from '../api/acts';
import type { Customer } from '../api/customers';
import { ActDialog } from '../shared/act-dialog';
import { actWords } from '../staff/act-words';
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
  onDone: (done: { message: string }) => void;
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

interface FormProps {
  customer: Customer;
  tiers: readonly SoldTier[];
  form: AppForm<Choice, Choice>;
}

function SwitchForm({ customer, tiers, form }: FormProps) {
  const choice = form.methods.watch();
  const tier = tiers.find(({ id }) => id === choice.tier);
  return (
    <Form form={form} className="reason-form" summary={false}>
      <p>{actWords.switch_plan.effect}</p>
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
          onChange={(count) => form.methods.setValue('units', { ...choice.units, [addOn.id]: count })}
        />
      ))}
      <ChoicesField name="settlement" label="When, and who pays" options={settlements} />
      <SubmitButton>Show what it would do</SubmitButton>
    </Form>
  );
}

/** Collects the target plan of a switch; the next dialog compares it with today's plan and shows the price difference. */
export function SwitchPlan({ customer, onDone, onClose }: SwitchPlanProps) {
  const sold = useQuery(soldPlansQuery);
  const [asked, setAsked] = useState(false);
  const form = useAppForm<Choice, Choice>({
    schema: judged(({ tier }) => ({ tier: tier ? undefined : 'Choose a plan.' })),
    defaultValues: {
      tier: '',
      type: customer.plan_type === 'yearly' ? 'yearly' : 'monthly',
      settlement: 'refund',
      units: {},
    },
    onSubmit: () => setAsked(true),
  });
  const choice = form.methods.getValues();
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
      <Async query={sold} what="the plans">
        {(tiers) => <SwitchForm customer={customer} tiers={tiers} form={form} />}
      </Async>
    </Modal>
  );
}
