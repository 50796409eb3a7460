import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ButtonLink } from '@/ui/button';
import { useMayBuy } from '@/domain/owner-buys';
import { WithData } from '@/domain/with-data';
import { gstPercent } from '@/content/gst';
import type { PlanType } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { plansQuery } from './api/plans';
import { bookPlans } from './book';
import { columnsOf, featuresOf, type Column } from './columns';
import './plan-comparison.scss';

interface HeadProps {
  column: Column;
  planType: PlanType;
  shown: boolean;
}

function Head({ column, planType, shown }: HeadProps) {
  const mayBuy = useMayBuy();
  return (
    <th scope="col" className={shown ? 'is-shown' : undefined}>
      <span className="comparison-name">{column.name}</span>
      <span className="comparison-price tabular">
        <b>{planType === 'yearly' ? column.yearly : column.monthly}</b> {planType === 'yearly' ? t`a year` : t`a month`}
      </span>
      {mayBuy && (
        <ButtonLink to={column.to} variant={column.mostPopular ? 'primary' : 'outline'}>
          <Trans>
            <Trans>
              Choose<span className="visually-hidden"> {column.name}</span>
            </Trans>
          </Trans>
        </ButtonLink>
      )}
    </th>
  );
}

interface LineProps {
  label: string;
  columns: readonly Column[];
  shown: number;
  value: (column: Column) => string | boolean;
}

function Line({ label, columns, shown, value }: LineProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {columns.map((column, index) => {
        const cell = value(column);
        return (
          <td key={column.name} className={index === shown ? 'is-shown tabular' : 'tabular'}>
            {cell === true && <CheckIcon />}
            {typeof cell === 'string' ? cell : <span className="visually-hidden">{cell ? t`Yes` : t`No`}</span>}
            {cell === false && <span aria-hidden="true">–</span>}
          </td>
        );
      })}
    </tr>
  );
}

interface PickerProps {
  columns: readonly Column[];
  shown: number;
  onShow: (index: number) => void;
}

/** Which plan a narrow screen shows; it stays in view with the plan's price. */
function Picker({ columns, shown, onShow }: PickerProps) {
  const name = useId();
  return (
    <fieldset className="comparison-picker">
      <legend className="visually-hidden">{t`Plan to show`}</legend>
      {columns.map((column, index) => (
        <label key={column.name}>
          <input type="radio" name={name} checked={index === shown} onChange={() => onShow(index)} />
          <span>{column.name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Comparison({ planType }: { planType: PlanType }) {
  const { isAuthenticated } = useSession();
  const { data } = useQuery(plansQuery(isAuthenticated));
  const hydrated = useHydrated();
  const columns = columnsOf(hydrated && data?.subscription_plan.length ? data.subscription_plan : bookPlans, planType);
  const [picked, setPicked] = useState<number>();
  const shown =
    picked ??
    Math.max(
      0,
      columns.findIndex(({ mostPopular }) => mostPopular),
    );
  const line = { columns, shown };
  return (
    <div className="plan-comparison">
      <Picker columns={columns} shown={shown} onShow={setPicked} />
      <table>
        <caption className="visually-hidden">{t`The plans beside each other, prices excluding ${gstPercent}% GST`}</caption>
        <thead>
          <tr>
            <td />
            {columns.map((column, index) => (
              <Head key={column.name} column={column} planType={planType} shown={index === shown} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Line {...line} label={t`Franchises, up to`} value={({ franchises }) => franchises} />
          <Line {...line} label={t`Paid monthly`} value={({ monthly }) => t`${monthly} a month`} />
          <Line {...line} label={t`Paid annually`} value={({ yearly }) => t`${yearly} a year`} />
          {featuresOf(columns).map((feature) => (
            <Line key={feature} {...line} label={feature} value={({ features }) => features.includes(feature)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The plans side by side, with a head that stays in view; on a narrow screen one of them at a time, picked in one tap. */
export function PlanComparison({ planType }: { planType: PlanType }) {
  return (
    <WithData>
      <Comparison planType={planType} />
    </WithData>
  );
}
