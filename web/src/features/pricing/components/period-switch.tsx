import { t } from '@lingui/core/macro';
import type { PlanType } from '@/lib/plan-choice';

export interface PeriodSwitchProps {
  value: PlanType;
  onChange: (value: PlanType) => void;
  /** What annual payment saves, e.g. "10%". */
  saving: string | undefined;
}

const periods: { id: PlanType; label: string }[] = [
  { id: 'monthly', label: t`Monthly` },
  { id: 'yearly', label: t`Annual` },
];

/** Monthly or Annual as a radio group, with what annual payment saves. */
export function PeriodSwitch({ value, onChange, saving }: PeriodSwitchProps) {
  return (
    <fieldset className="period-switch">
      <legend className="visually-hidden">{t`Billing period`}</legend>
      <div className="period-options">
        {periods.map(({ id, label }) => (
          <label key={id} className="period-option">
            <input type="radio" name="billing" value={id} checked={value === id} onChange={() => onChange(id)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {saving && <span className="tag tag-gold">{t`SAVE UP TO ${saving}`}</span>}
    </fieldset>
  );
}
