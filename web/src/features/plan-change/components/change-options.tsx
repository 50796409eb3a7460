import { t } from '@lingui/core/macro';
import { Badge } from '@/ui/notice';
import { gstPercent } from '@/content/gst';
import { formatDate } from '@/lib/format';
import type { PlanType } from '@/lib/plan-choice';
import { beginsText, choosable, termOf, type ChangeParams, type Option, type PlanChange } from '../state';

const periods: { id: PlanType; label: string }[] = [
  { id: 'monthly', label: t`Monthly` },
  { id: 'yearly', label: t`Annual` },
];

/** Monthly or annual. */
export function Billing({ value, onChange }: { value: PlanType; onChange: (value: PlanType) => void }) {
  return (
    <fieldset className="choice-group">
      <legend>
        <h2>{t`Billing`}</h2>
      </legend>
      <div className="change-billing">
        {periods.map(({ id, label }) => (
          <label key={id} className="choice-card choice-card-sm">
            <input type="radio" name="billing" value={id} checked={value === id} onChange={() => onChange(id)} />
            <span className="choice-text">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface AddOnsProps {
  addOns: PlanChange['add_ons_services'];
  cancelled: PlanChange['cancelled_add_ons'];
  params: ChangeParams;
}

const toggled = (ids: readonly string[], id: string) =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];

/** The current add-ons: all kept unless removed, the cancelled ones only if ticked. */
export function KeptAddOns({ addOns, cancelled, params: { without, setWithout, keep, setKeep } }: AddOnsProps) {
  if (addOns.length === 0 && cancelled.length === 0) return null;
  return (
    <fieldset className="choice-group">
      <legend>
        <h2>{t`Your add-ons`}</h2>
      </legend>
      <p className="text-muted">{t`They stay with the new plan, at its prices, unless you untick them.`}</p>
      {addOns.map(({ id, add_ons_service_name: name, desc }) => (
        <label key={id} className="choice-card choice-card-sm">
          <input type="checkbox" checked={!without.includes(id)} onChange={() => setWithout(toggled(without, id))} />
          <span className="choice-text">
            {name}
            <span className="text-muted text-sm d-block">{desc}</span>
          </span>
        </label>
      ))}
      {cancelled.map(({ id, add_ons_service_name: name, ends_on: on }) => (
        <label key={id} className="choice-card choice-card-sm">
          <input type="checkbox" checked={keep.includes(id)} onChange={() => setKeep(toggled(keep, id))} />
          <span className="choice-text">
            {name}
            <span className="text-muted text-sm d-block">
              {t`Cancelled, paid until ${formatDate(on)}. Tick it to keep it with the new plan; then it renews.`}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface RowProps {
  option: Option;
  chosen: boolean;
  onChoose: () => void;
}

function Row({ option, chosen, onChoose }: RowProps) {
  const {
    plan_name: plan,
    service_name: name,
    franchise_limit: limit,
    begins,
    term_total: term,
    plan_type: type,
    list_price: list,
  } = option;
  const open = choosable(option);
  const price = `${term} ${termOf(type)}`;
  return (
    <label className="choice-card">
      <input type="radio" name="plan" checked={chosen} disabled={!open} onChange={onChoose} />
      <span className="choice-text choice-name">
        <span>
          <span className="visually-hidden">{plan} </span>
          {name}
        </span>
        <span className="text-muted text-sm">{t`up to ${limit} franchises`}</span>
      </span>
      <span className="choice-price">
        {open ? <b className="tabular">{beginsText(option)}</b> : <Badge>{beginsText(option)}</Badge>}
        {option.unused_covers && (
          <span className="text-muted text-sm">{t`The unused part of what you paid covers this plan, so it begins when that is used up.`}</span>
        )}
        {begins !== 'current' && (
          <span className="text-muted text-sm tabular">
            {begins === 'now' ? t`renews at ${price}` : t`then ${price}`}
          </span>
        )}
        {list && begins !== 'current' && (
          <span className="text-muted text-sm tabular">{t`List price ${list} before GST and add-ons, less the annual discount`}</span>
        )}
      </span>
    </label>
  );
}

interface OptionsProps {
  options: readonly Option[];
  chosen: Option | undefined;
  onChoose: (option: Option) => void;
}

/** The plans for a billing period, each with its start date and the amount due then. */
export function ChangeOptions({ options, chosen, onChoose }: OptionsProps) {
  const plans = [...new Set(options.map(({ plan_name: name }) => name))];
  return (
    // One choice, so one group: radio buttons of a name are counted within their fieldset.
    <fieldset className="choice-group">
      <legend>
        <h2>{t`Plans`}</h2>
      </legend>
      <p className="text-muted">{t`All amounts include ${gstPercent}% GST and the add-ons that stay.`}</p>
      {plans.map((name) => (
        <div key={name} className="choice-group">
          <h3>{name}</h3>
          {options
            .filter(({ plan_name: of }) => of === name)
            .map((option) => (
              <Row
                key={option.plan_services_id}
                option={option}
                chosen={option === chosen}
                onChoose={() => onChoose(option)}
              />
            ))}
        </div>
      ))}
    </fieldset>
  );
}
