import { t } from '@lingui/core/macro';
import { aboutAddOn } from '@/content/add-ons';
import type { components } from '@/lib/api/schema.gen';

type SubscriptionAddOn = components['schemas']['SubscriptionAddOn'];

export interface AddOnChecksProps {
  addOns: readonly SubscriptionAddOn[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
}

/** What one unit adds, in a sentence where it is known here, and how many are owned. */
function factsOf({ add_ons_service_name: name, limit, owned, charged_once: once }: SubscriptionAddOn): string {
  const adds = aboutAddOn(name) || (limit > 1 ? t`${limit.toLocaleString('en-IN')} each` : '');
  return [adds, once && t`charged once`, owned > 0 && t`you have ${owned}`].filter(Boolean).join(' · ');
}

/** The available add-ons as a group of checkboxes, each with its price for the rest of the term. */
export function AddOnChecks({ addOns, chosen, onToggle }: AddOnChecksProps) {
  if (addOns.length === 0) return <p className="text-muted">{t`This plan has no add-ons.`}</p>;
  return (
    <fieldset className="choice-group">
      <legend className="visually-hidden">{t`Add-ons`}</legend>
      <p className="text-muted text-sm">{t`Prices up to the end of your term, before GST.`}</p>
      {addOns
        .filter(({ charged_once: once, owned }) => !once || owned === 0)
        .map((addOn) => (
          <label key={addOn.id} className="choice-card choice-card-sm">
            <input type="checkbox" checked={chosen.includes(addOn.id)} onChange={() => onToggle(addOn.id)} />
            <span className="choice-text">
              <b>{addOn.add_ons_service_name}</b>
              <span className="text-muted text-sm">{factsOf(addOn)}</span>
            </span>
            <span className="choice-price tabular">{addOn.payable_amount}</span>
          </label>
        ))}
    </fieldset>
  );
}
