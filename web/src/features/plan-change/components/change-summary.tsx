import { plural, t } from '@lingui/core/macro';
import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Table } from '@/ui/list/table';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { EndingNotice } from '@/domain/payment/ending-notice';
import { formatDate } from '@/lib/format';
import { termOf, type Option, type PlanChange } from '../state';

interface Fact {
  label: string;
  today: ReactNode;
  after: ReactNode;
}

function Names({ of }: { of: readonly string[] }) {
  if (of.length === 0) return t`None`;
  return (
    <ul className="plain-list">
      {of.map((name, index) => (
        <li key={`${name}-${index}`}>{name}</li>
      ))}
    </ul>
  );
}

const nameOf = ({ add_ons_service_name: name }: PlanChange['add_ons_services'][number]) => name;

/** An add-on that stays, with its price for a term before GST; a one-time add-on shows no price. */
function staysText(addOn: PlanChange['add_ons_services'][number], option: Option | undefined): string {
  const name = addOn.add_ons_service_name;
  const line = option?.staying_add_ons.find(({ label }) => label.startsWith(name));
  return line && option ? `${line.label}, ${line.value} ${termOf(option.plan_type)}` : nameOf(addOn);
}

/** Which add-ons end with a change at the renewal. */
function endsText(ends: readonly string[], { on }: Option): string {
  const names = ends.join(', ');
  const day = formatDate(on);
  return plural(ends.length, { one: `${names} ends on ${day}.`, other: `${names} end on ${day}.` });
}

export interface ChangeSummaryProps {
  change: PlanChange;
  option: Option | undefined;
  without: readonly string[];
  keep: readonly string[];
  updating: boolean;
  onReview: () => void;
}

interface BarProps {
  option: Option | undefined;
  open: boolean;
  controls: string;
  onToggle: () => void;
}

/** On narrow screens: the choice and its price now in two lines; a tap shows all changes. */
function Bar({ option, open, controls, onToggle }: BarProps) {
  return (
    <button type="button" className="change-toggle" aria-expanded={open} aria-controls={controls} onClick={onToggle}>
      <span>
        <b>{option ? `${option.plan_name} · ${option.service_name}` : t`Choose a plan`}</b>
        <span className="text-muted text-sm tabular">
          {!option && t`Your plan today`}
          {option &&
            (option.begins === 'now' ? t`${option.pay_now} to pay now` : t`From ${formatDate(option.on)}, ₹0 now`)}
        </span>
      </span>
      <span className="visually-hidden">{t`What changes`}</span>
      <ChevronIcon />
    </button>
  );
}

type Chosen = Pick<ChangeSummaryProps, 'change' | 'option' | 'without' | 'keep'>;

/** What the change means, line by line, and the add-ons that end. */
function factsOf({ change, option, without, keep }: Chosen, renewal: string | undefined) {
  const stays = change.add_ons_services.filter(
    ({ id }) => !without.includes(id) && !option?.dropped_add_ons.some((dropped) => dropped.id === id),
  );
  const ends = change.add_ons_services.filter((addOn) => !stays.includes(addOn));
  const kept = change.cancelled_add_ons.filter(({ id }) => keep.includes(id));
  const facts: Fact[] = [
    {
      label: t`Plan`,
      today: `${change.plan_name} · ${change.service_name}`,
      after: option ? <b>{`${option.plan_name} · ${option.service_name}`}</b> : t`Choose a plan`,
    },
    { label: t`Franchises`, today: change.franchise_limit, after: option?.franchise_limit ?? '–' },
    {
      label: t`Add-ons`,
      today: (
        <Names
          of={[
            ...change.add_ons_services.map(nameOf),
            ...change.cancelled_add_ons.map((one) => t`${nameOf(one)}, until ${formatDate(one.ends_on)}`),
          ]}
        />
      ),
      after: <Names of={[...new Set([...stays, ...kept].map((addOn) => staysText(addOn, option)))]} />,
    },
    {
      label: t`Begins`,
      today: t`Runs now`,
      after: option ? (option.begins === 'now' ? t`Today` : formatDate(option.on)) : '–',
    },
    {
      label: t`Renews on`,
      today: formatDate(change.plan_renew_on),
      after: option ? formatDate(option.plan_renew_on) : '–',
    },
    {
      label: t`Renewal, with GST`,
      today: renewal ? <span className="tabular">{`${renewal} ${termOf(change.plan_type)}`}</span> : '–',
      after: option ? `${option.term_total} ${termOf(option.plan_type)}` : '–',
    },
  ];
  return { facts, ends };
}

/** The current plan and the plan after the change side by side, with the way to confirm; a bar on narrow screens. */
export function ChangeSummary({ change, option, without, keep, updating, onReview }: ChangeSummaryProps) {
  const { data: bill } = useQuery(nextBillQuery);
  const [open, setOpen] = useState(false);
  const table = useId();
  const { facts, ends } = factsOf({ change, option, without, keep }, bill?.total);
  return (
    <aside
      className={`panel panel-surface change-summary ${open ? 'is-open' : ''}`}
      aria-label={t`Today and after the change`}
    >
      <Bar option={option} open={open} controls={table} onToggle={() => setOpen(!open)} />
      <Table
        id={table}
        className={`change-table ${updating ? 'is-updating' : ''}`}
        caption={t`What changes`}
        rows={facts}
        rowKey={({ label }) => label}
        columns={[
          { label: '', cell: ({ label }) => label },
          { label: t`Today`, cell: ({ today }) => today },
          { label: t`After`, cell: ({ after }) => after },
        ]}
      />
      <div role="status" className="change-outcome">
        {option && (
          <p>
            {option.begins === 'now'
              ? t`You pay ${option.pay_now} now; the unused days of your current plan are deducted.`
              : t`You pay nothing now. Your current plan runs to its end and changes on ${formatDate(option.on)}; until then you can undo it.`}
          </p>
        )}
        {option && <EndingNotice addOns={option.ending_add_ons} />}
        {option && option.begins !== 'now' && ends.length > 0 && <p>{endsText(ends.map(nameOf), option)}</p>}
      </div>
      {option && (
        <Button block pending={updating} onClick={onReview}>
          {option.begins === 'now' ? t`Review and pay ${option.pay_now}` : t`Review the change`}
        </Button>
      )}
    </aside>
  );
}
