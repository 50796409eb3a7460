import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { nextBillQuery } from '@/components/payment/api/next-bill';
import { formatDate } from '@/lib/format';
import { termOf, type Option, type PlanChange } from '../state';

interface FactProps {
  label: string;
  today: ReactNode;
  after: ReactNode;
}

function Fact({ label, today, after }: FactProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{today}</td>
      <td>{after}</td>
    </tr>
  );
}

function Names({ of }: { of: readonly string[] }) {
  if (of.length === 0) return 'None';
  return (
    <ul className="plain-list">
      {of.map((name, index) => (
        <li key={`${name}-${index}`}>{name}</li>
      ))}
    </ul>
  );
}

const nameOf = ({ add_ons_service_name: name }: PlanChange['add_ons_services'][number]) => name;

export interface ChangeSummaryProps {
  change: PlanChange;
  option: Option | undefined;
  without: readonly string[];
  updating: boolean;
  onReview: () => void;
}

interface BarProps {
  option: Option | undefined;
  open: boolean;
  controls: string;
  onToggle: () => void;
}

/** On narrow screens: the choice and what it costs now in two lines; a tap shows all that changes. */
function Bar({ option, open, controls, onToggle }: BarProps) {
  return (
    <button type="button" className="change-toggle" aria-expanded={open} aria-controls={controls} onClick={onToggle}>
      <span>
        <b>{option ? `${option.plan_name} · ${option.service_name}` : 'Choose a plan'}</b>
        <span className="text-muted text-sm tabular">
          {!option && 'Your plan today'}
          {option &&
            (option.begins === 'now' ? `${option.pay_now} to pay now` : `From ${formatDate(option.on)}, ₹0 now`)}
        </span>
      </span>
      <span className="visually-hidden">What changes</span>
      <ChevronIcon />
    </button>
  );
}

/** The current plan and the plan after the change side by side, with the way to confirm; a bar on narrow screens. */
export function ChangeSummary({ change, option, without, updating, onReview }: ChangeSummaryProps) {
  const { data: bill } = useQuery(nextBillQuery);
  const [open, setOpen] = useState(false);
  const table = useId();
  const stays = change.add_ons_services.filter(
    ({ id }) => !without.includes(id) && !option?.dropped_add_ons.some((dropped) => dropped.id === id),
  );
  const ends = change.add_ons_services.filter((addOn) => !stays.includes(addOn));
  return (
    <aside
      className={`panel panel-surface change-summary ${open ? 'is-open' : ''}`}
      aria-label="Today and after the change"
    >
      <Bar option={option} open={open} controls={table} onToggle={() => setOpen(!open)} />
      <table className="change-table" id={table}>
        <caption className="visually-hidden">What changes</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Today</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody className={updating ? 'is-updating' : ''}>
          <Fact
            label="Plan"
            today={`${change.plan_name} · ${change.service_name}`}
            after={option ? <b>{`${option.plan_name} · ${option.service_name}`}</b> : 'Choose a plan'}
          />
          <Fact label="Franchises" today={change.franchise_limit} after={option?.franchise_limit ?? '–'} />
          <Fact
            label="Add-ons"
            today={<Names of={change.add_ons_services.map(nameOf)} />}
            after={<Names of={stays.map(nameOf)} />}
          />
          <Fact
            label="Begins"
            today="Runs now"
            after={option ? (option.begins === 'now' ? 'Today' : formatDate(option.on)) : '–'}
          />
          <Fact
            label="Renews on"
            today={formatDate(change.plan_renew_on)}
            after={option ? formatDate(option.plan_renew_on) : '–'}
          />
          <Fact
            label="Renewal, with GST"
            today={bill ? <span className="tabular">{bill.total}</span> : '–'}
            after={option ? `${option.term_total} ${termOf(option.plan_type)}` : '–'}
          />
        </tbody>
      </table>
      <div role="status" className="change-outcome">
        {option && (
          <p>
            {option.begins === 'now'
              ? `You pay ${option.pay_now} now; the unused days of your current plan are taken off.`
              : `You pay nothing now. Your current plan runs to its end and changes on ${formatDate(option.on)}; until then you can undo it.`}
          </p>
        )}
        {option && ends.length > 0 && (
          <p>
            {ends.map(nameOf).join(', ')} {ends.length === 1 ? 'ends' : 'end'}{' '}
            {option.begins === 'now' ? 'today; what is unused is taken off too.' : `on ${formatDate(option.on)}.`}
          </p>
        )}
      </div>
      {option && (
        <Button block pending={updating} onClick={onReview}>
          {option.begins === 'now' ? `Review and pay ${option.pay_now}` : 'Review the change'}
        </Button>
      )}
    </aside>
  );
}
