import { useState } from 'react';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { dayInIndia } from '@/lib/today';
import type { Catalogue, CatalogueAddOn, CatalogueTier } from '../api/catalogue';
import { typed } from './catalogue-words';
import { paiseOf } from '../money/money-form';
import { Offer } from '../shared/offer';

interface AmountProps {
  label: string;
  value: number;
  /** Whole numbers are counts, others amounts in rupees. */
  count?: boolean;
  onChange: (value: number) => void;
  onProblem: (label: string, problem: boolean) => void;
}

/** A number input. Invalid text stays in the field with an error message. */
function Amount({ label, value, count = false, onChange, onProblem }: AmountProps) {
  const [text, setText] = useState(() => (count ? String(value) : typed(value)));
  const [wrong, setWrong] = useState(false);
  const change = (next: string) => {
    setText(next);
    const paise = paiseOf(next);
    const bad = paise === undefined || (count && paise % 100 !== 0);
    setWrong(bad);
    onProblem(label, bad);
    if (paise !== undefined && !bad) onChange(count ? paise / 100 : paise);
  };
  return (
    <TextField
      box="catalogue-field"
      label={label.slice(label.lastIndexOf('·') + 1).trim()}
      aria-label={label}
      error={wrong && (count ? 'Write a whole number.' : 'Write rupees, such as 1,500 or 1500.50.')}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={change}
    />
  );
}

interface PartProps<T> {
  of: T;
  title: string;
  onChange: (next: T) => void;
  onProblem: AmountProps['onProblem'];
}

function AddOnFields({
  of,
  title,
  onChange,
  onProblem,
  onRemove,
}: PartProps<CatalogueAddOn> & { onRemove: () => void }) {
  const field = (name: string, key: 'limit' | 'monthly_paise' | 'yearly_paise' | 'once_paise') => (
    <Amount
      label={`${title} · ${name}`}
      value={of[key]}
      count={key === 'limit'}
      onProblem={onProblem}
      onChange={(value) => onChange({ ...of, [key]: value })}
    />
  );
  return (
    <fieldset className="catalogue-part">
      <legend>{of.name}</legend>
      <TextField
        box="catalogue-field"
        label="Name"
        aria-label={`${title} · Name`}
        maxLength={80}
        value={of.name}
        onChange={(name) => onChange({ ...of, name })}
      />
      {field('Adds', 'limit')}
      {of.once_paise > 0 ? (
        field('Once, ₹', 'once_paise')
      ) : (
        <>
          {field('Month, ₹', 'monthly_paise')}
          {field('Year, ₹', 'yearly_paise')}
        </>
      )}
      <Offer variant="quiet" onClick={onRemove} of={title}>
        Stop selling
      </Offer>
    </fieldset>
  );
}

function TierFields({
  of,
  title,
  onChange,
  onProblem,
  onRemove,
}: PartProps<CatalogueTier> & { onRemove?: () => void }) {
  const field = (name: string, key: Exclude<keyof CatalogueTier, 'tier' | 'sac' | 'add_ons'>) => (
    <Amount
      label={`${title} · ${name}`}
      value={of[key]}
      count={key === 'franchise_limit'}
      onProblem={onProblem}
      onChange={(value) => onChange({ ...of, [key]: value })}
    />
  );
  const addOns = (next: CatalogueAddOn[]) => onChange({ ...of, add_ons: next });
  return (
    <details className="catalogue-tier">
      <summary>{title}</summary>
      <div className="catalogue-part">
        {field('Franchises', 'franchise_limit')}
        {field('Month, ₹', 'monthly_paise')}
        {field('Year, ₹', 'yearly_paise')}
        {field('Discount of a year, ₹', 'yearly_discount_paise')}
        {field('All-in year, ₹', 'all_in_yearly_paise')}
        {onRemove && (
          <Offer variant="quiet" onClick={onRemove} of={title}>
            Stop selling
          </Offer>
        )}
      </div>
      {of.add_ons.map((addOn) => (
        <AddOnFields
          key={addOn.key}
          of={addOn}
          title={`${title} · ${addOn.key}`}
          onProblem={onProblem}
          onChange={(next) => addOns(of.add_ons.map((one) => (one.key === next.key ? next : one)))}
          onRemove={() => addOns(of.add_ons.filter(({ key }) => key !== addOn.key))}
        />
      ))}
    </details>
  );
}

function Rates({ of, onChange }: { of: Catalogue['gst_rates']; onChange: (next: Catalogue['gst_rates']) => void }) {
  const [from, setFrom] = useState('');
  const [rate, setRate] = useState('1800');
  return (
    <fieldset className="catalogue-part">
      <legend>GST</legend>
      <ul className="trail-list">
        {of.map((one) => (
          <li key={one.from}>
            {one.rate_bps / 100}% from {one.from}{' '}
            {one.from > dayInIndia(new Date()) && (
              <Offer variant="quiet" onClick={() => onChange(of.filter((other) => other !== one))} of={one.from}>
                Take away
              </Offer>
            )}
          </li>
        ))}
      </ul>
      <TextField box="catalogue-field" label="New rate from" type="date" value={from} onChange={setFrom} />
      <NativeSelectField
        box="catalogue-field"
        label="Rate"
        options={[0, 500, 1800, 4000].map((bps) => [String(bps), `${bps / 100}%`])}
        value={rate}
        onChange={setRate}
      />
      <Offer
        onClick={() => {
          if (!from || of.some((one) => one.from === from)) return;
          onChange([...of, { from, rate_bps: Number(rate) }].sort((a, b) => a.from.localeCompare(b.from)));
          setFrom('');
        }}
      >
        Add the rate
      </Offer>
    </fieldset>
  );
}

export interface CatalogueEditorProps {
  of: Catalogue;
  onChange: (next: Catalogue) => void;
  onProblem: AmountProps['onProblem'];
}

/**
 * The fields of a draft: its name, GST, and every tier with its add-ons. The names of plans and tiers are their identifiers and cannot
 * change.
 */
export function CatalogueEditor({ of, onChange, onProblem }: CatalogueEditorProps) {
  const plans = (next: Catalogue['plans']) => onChange({ ...of, plans: next });
  return (
    <>
      <TextField
        box="catalogue-field"
        label="Name of the catalogue"
        maxLength={80}
        value={of.version}
        onChange={(version) => onChange({ ...of, version })}
      />
      <Rates of={of.gst_rates} onChange={(gst_rates) => onChange({ ...of, gst_rates })} />
      {of.plans.map((plan) => (
        <section key={plan.plan} aria-label={plan.plan}>
          <h3>{plan.plan}</h3>
          <CheckboxField
            box=""
            type="radio"
            name="most-popular"
            label="Most popular"
            checked={plan.most_popular}
            onChange={() => plans(of.plans.map((one) => ({ ...one, most_popular: one.plan === plan.plan })))}
          >
            Most popular<span className="visually-hidden">: {plan.plan}</span>
          </CheckboxField>
          {plan.services.map((tier) => (
            <TierFields
              key={tier.tier}
              of={tier}
              title={`${plan.plan} · ${tier.tier}`}
              onProblem={onProblem}
              onChange={(next) =>
                plans(
                  of.plans.map((one) =>
                    one.plan === plan.plan
                      ? { ...one, services: one.services.map((other) => (other.tier === next.tier ? next : other)) }
                      : one,
                  ),
                )
              }
              onRemove={
                plan.services.length > 1
                  ? () =>
                      plans(
                        of.plans.map((one) =>
                          one.plan === plan.plan
                            ? { ...one, services: one.services.filter(({ tier: name }) => name !== tier.tier) }
                            : one,
                        ),
                      )
                  : undefined
              }
            />
          ))}
        </section>
      ))}
    </>
  );
}
