import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { FigureSection, useFigures } from './figure-section';
import { number, purposeName, share, shareOf } from './figure-words';

export function TrialsSection() {
  const { trials } = useFigures().of;
  return (
    <FigureSection
      figure="trials"
      none="No trial started in these months."
      chart={{
        name: 'Trial conversion',
        text: share,
        bars: trials.map((one) => ({ label: monthName(one.month), value: one.conversion_bps ?? undefined })),
      }}
      rows={trials.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['Started', (one) => number(one.started)],
        ['Converted', (one) => number(one.converted)],
        ['Undecided', (one) => number(one.undecided)],
        ['Conversion', (one) => share(one.conversion_bps)],
      ]}
    />
  );
}

/** The retention of all cohorts together, by months since each began. */
function retained(cells: { after: number; cohort: string; started: number; customers: number }[]) {
  const began = new Map(cells.filter((one) => one.after === 0).map((one) => [one.cohort, one.started]));
  const longest = Math.max(0, ...cells.map((one) => one.after));
  return Array.from({ length: longest + 1 }, (_, after) => {
    const reached = cells.filter((one) => one.after === after);
    const started = reached.reduce((sum, one) => sum + (began.get(one.cohort) ?? 0), 0);
    const left = reached.reduce((sum, one) => sum + one.customers, 0);
    return { label: `month ${after}`, value: shareOf(left, started) ?? undefined };
  });
}

export function CohortsSection() {
  const { cohorts } = useFigures().of;
  const all = new Map(cohorts.filter((one) => one.after === 0).map((one) => [one.cohort, one.started]));
  const began = ({ cohort }: { cohort: string }) => all.get(cohort) ?? 0;
  return (
    <FigureSection
      figure="cohorts"
      none="Nobody's first paid term began in these months."
      chart={{ name: 'Customers retained', text: share, bars: retained(cohorts) }}
      rows={cohorts}
      columns={[
        ['Cohort', (one) => monthName(one.cohort)],
        ['Months later', (one) => number(one.after)],
        ['Began', (one) => number(began(one))],
        ['Customers', (one) => number(one.customers)],
        ['Retained', (one) => share(shareOf(one.customers, began(one)))],
        ['MRR', (one) => rupees(one.mrr_paise)],
      ]}
    />
  );
}

/** A share by month over rows that are split further. */
function byMonth<Row extends { month: string }>(rows: Row[], part: (row: Row) => number, whole: (row: Row) => number) {
  const months = [...new Set(rows.map((one) => one.month))];
  return months.map((month) => {
    const of = rows.filter((one) => one.month === month);
    const sum = (n: (row: Row) => number) => of.reduce((all, one) => all + n(one), 0);
    return { label: monthName(month), value: shareOf(sum(part), sum(whole)) ?? undefined };
  });
}

export function FailuresSection() {
  const { failures } = useFigures().of;
  const recovered = byMonth(
    failures,
    (one) => one.recovered,
    (one) => one.failed - one.undecided,
  );
  return (
    <FigureSection
      figure="failures"
      none="No payment failed in these months."
      chart={{ name: 'Failed payments recovered', text: share, bars: recovered }}
      rows={failures.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['By', (one) => (one.by_mandate ? 'Mandate' : 'Checkout')],
        ['Failed', (one) => number(one.failed)],
        ['Recovered', (one) => number(one.recovered)],
        ['Undecided', (one) => number(one.undecided)],
        ['Amount failed', (one) => rupees(one.failed_paise)],
        ['Amount recovered', (one) => rupees(one.recovered_paise)],
        ['Recovery', (one) => share(one.recovery_bps)],
      ]}
    />
  );
}

export function CodesSection() {
  const { codes } = useFigures().of;
  const delivered = byMonth(
    codes,
    (one) => one.delivered,
    (one) => one.asked,
  );
  return (
    <FigureSection
      figure="codes"
      none="No code was asked for in these months."
      chart={{ name: 'Codes delivered', text: share, bars: delivered }}
      rows={codes.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['Purpose', (one) => purposeName(one.purpose)],
        ['Provider', (one) => one.provider || 'None'],
        ['Asked for', (one) => number(one.asked)],
        ['Sent', (one) => number(one.sent)],
        ['Delivered', (one) => number(one.delivered)],
        ['Failed', (one) => number(one.failed)],
        ['Used', (one) => number(one.used)],
        ['Share delivered', (one) => share(one.delivery_bps)],
        ['Share used', (one) => share(one.usage_bps)],
      ]}
    />
  );
}
