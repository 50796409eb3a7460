import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { aboutAddOn } from '@/content/add-ons';
import type { PlanType } from '@/lib/plan-choice';

type AddOn = components['schemas']['AddOn'];

export interface AddOnListProps {
  addOns: readonly AddOn[];
  chosen: readonly string[];
  planType: PlanType;
  onChoose: (id: string, wanted: boolean) => void;
}

interface OptionProps {
  addOn: AddOn;
  wanted: boolean;
  checked: boolean;
  price: string;
  label: string;
  onChoose: AddOnListProps['onChoose'];
}

function Option({ addOn, wanted, checked, price, label, onChoose }: OptionProps) {
  return (
    <label className="choice-card choice-card-sm">
      <input type="radio" name={`add-on-${addOn.id}`} checked={checked} onChange={() => onChoose(addOn.id, wanted)} />
      <span className="choice-text">{label}</span>
      <span className="choice-price tabular">{price}</span>
    </label>
  );
}

/** What one unit adds, if more than one item: "10 more", "50,000 more". */
function amountOf({ limit }: AddOn): string {
  return limit > 1 ? t`${limit.toLocaleString('en-IN')} more` : t`Add it`;
}

/** The price with how often it is charged. */
function priceOf(
  { charged_once: once, monthly_amount: month, yearly_amount: year }: AddOn,
  planType: PlanType,
): string {
  if (once) return t`${year}, charged once`;
  return planType === 'yearly' ? t`${year} per year` : t`${month} per month`;
}

/** The optional add-ons, each a pair of radios; nothing that costs money is preselected. */
export function AddOnList({ addOns, chosen, planType, onChoose }: AddOnListProps) {
  return (
    <section className="stack" aria-labelledby="add-ons">
      <h2 id="add-ons">{t`+ Add Ons (Optional)`}</h2>
      {addOns.length === 0 && <p className="text-muted">{t`This plan has no add-ons.`}</p>}
      <div className="add-on-grid">
        {addOns.map((addOn) => {
          const taken = chosen.includes(addOn.id);
          const price = priceOf(addOn, planType);
          return (
            <fieldset key={addOn.id} className="choice-group">
              <legend>{addOn.add_ons_service_name}</legend>
              <p className="text-muted text-sm">{aboutAddOn(addOn.add_ons_service_name)}</p>
              <Option
                addOn={addOn}
                wanted={false}
                checked={!taken}
                price="₹0"
                label={t`No, thanks`}
                onChoose={onChoose}
              />
              <Option addOn={addOn} wanted checked={taken} price={price} label={amountOf(addOn)} onChoose={onChoose} />
            </fieldset>
          );
        })}
      </div>
    </section>
  );
}
