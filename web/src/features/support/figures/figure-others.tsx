import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { FigureChart } from './figure-chart';
import { FigureSection, useFigures } from './figure-section';
import { number, purposeName, share, shareOf } from './figure-words';

export function TrialsSection() {
  const { trials } = useFigures().of;
  return (
    <FigureSection
      figure="trials"
      none="No trial started in these months."
      chart={
        <FigureChart
          name="Trial conversion"
          text={share}
          bars={trials.map((one) => ({ label: monthName(one.month), value: one.conversion_bps ?? undefined }))}
        />
      }
      heads={['Month', 'Started', 'Converted', 'Undecided', 'Conversion']}
      rows={[...trials]
        .reverse()
        .map((one) => [
          monthName(one.month),
          number(one.started),
          number(one.converted),
          number(one.undecided),
          share(one.conversion_bps),
        ])}
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
  const began = new Map(cohorts.filter((one) => one.after === 0).map((one) => [one.cohort, one.started]));
  return (
    <FigureSection
      figure="cohorts"
      none="Nobody's first paid term began in these months."
      chart={<FigureChart name="Customers retained" text={share} bars={retained(cohorts)} />}
      heads={['Cohort', 'Months later', 'Began', 'Customers', 'Retained', 'MRR']}
      rows={cohorts.map((one) => [
        monthName(one.cohort),
        number(one.after),
        number(began.get(one.cohort) ?? 0),
        number(one.customers),
        share(shareOf(one.customers, began.get(one.cohort) ?? 0)),
        rupees(one.mrr_paise),
      ])}
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
  return (
    <FigureSection
      figure="failures"
      none="No payment failed in these months."
      chart={
        <FigureChart
          name="Failed payments recovered"
          text={share}
          bars={byMonth(
            failures,
            (one) => one.recovered,
            (one) => one.failed - one.undecided,
          )}
        />
      }
      heads={['Month', 'By', 'Failed', 'Recovered', 'Undecided', 'Amount failed', 'Amount recovered', 'Recovery']}
      rows={[...failures]
        .reverse()
        .map((one) => [
          monthName(one.month),
          one.by_mandate ? 'Mandate' : 'Checkout',
          number(one.failed),
          number(one.recovered),
          number(one.undecided),
          rupees(one.failed_paise),
          rupees(one.recovered_paise),
          share(one.recovery_bps),
        ])}
    />
  );
}

export function CodesSection() {
  const { codes } = useFigures().of;
  return (
    <FigureSection
      figure="codes"
      none="No code was asked for in these months."
      chart={
        <FigureChart
          name="Codes delivered"
          text={share}
          bars={byMonth(
            codes,
            (one) => one.delivered,
            (one) => one.asked,
          )}
        />
      }
      heads={[
        'Month',
        'Purpose',
        'Provider',
        'Asked for',
        'Sent',
        'Delivered',
        'Failed',
        'Used',
        'Share delivered',
        'Share used',
      ]}
      rows={[...codes]
        .reverse()
        .map((one) => [
          monthName(one.month),
          purposeName(one.purpose),
          one.provider || 'None',
          number(one.asked),
          number(one.sent),
          number(one.delivered),
          number(one.failed),
          number(one.used),
          share(one.delivery_bps),
          share(one.usage_bps),
        ])}
    />
  );
}
