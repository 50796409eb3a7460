import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ButtonLink } from '@/ui/button';
import { Table } from '@/ui/list/table';
import { useMayBuy } from '@/domain/owner-buys';
import { WithData } from '@/domain/with-data';
import { gstPercent } from '@/content/gst';
import type { PlanType } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { plansQuery } from './api/plans';
import { bookPlans } from './book';
import { columnsOf, featuresOf, type Column } from './columns';
import './plan-comparison.scss';

function Head({ column, planType }: { column: Column; planType: PlanType }) {
  const mayBuy = useMayBuy();
  return (
    <>
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
    </>
  );
}

interface Line {
  label: string;
  value: (column: Column) => string | boolean;
}

function Value({ of: value }: { of: string | boolean }) {
  if (typeof value === 'string') return value;
  return (
    <>
      {value && <CheckIcon />}
      <span className="visually-hidden">{value ? t`Yes` : t`No`}</span>
      {!value && <span aria-hidden="true">–</span>}
    </>
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
  const lines: Line[] = [
    { label: t`Franchises, up to`, value: ({ franchises }) => franchises },
    { label: t`Paid monthly`, value: ({ monthly }) => t`${monthly} a month` },
    { label: t`Paid annually`, value: ({ yearly }) => t`${yearly} a year` },
    ...featuresOf(columns).map((feature) => ({
      label: feature,
      value: ({ features }: Column) => features.includes(feature),
    })),
  ];
  return (
    <div className="plan-comparison">
      <Picker columns={columns} shown={shown} onShow={setPicked} />
      <Table
        caption={t`The plans beside each other, prices excluding ${gstPercent}% GST`}
        rows={lines}
        rowKey={({ label }) => label}
        columns={[
          { label: '', cell: ({ label }) => label },
          ...columns.map((column, index) => ({
            label: column.name,
            heading: <Head column={column} planType={planType} />,
            className: index === shown ? 'is-shown tabular' : 'tabular',
            cell: ({ value }: Line) => <Value of={value(column)} />,
          })),
        ]}
      />
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
