import type { Figures } from '../api/figures';
import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { FigureSection, useFigures } from './figure-section';
import { number, share } from './figure-words';

type Month = Figures['recurring'][number];

const none = 'Nothing recurs in these months.';

/** The bars of a value by month, oldest month first. */
const barsOf = (months: readonly Month[], value: (month: Month) => number | null) =>
  months.map((one) => ({ label: monthName(one.month), value: value(one) ?? undefined }));

/** Monthly recurring revenue and its movements; newest month first. */
export function RecurringSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="recurring"
      none={none}
      chart={{ name: 'Closing MRR', text: rupees, bars: barsOf(recurring, (one) => one.closing_paise) }}
      rows={recurring.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['Opening', (one) => rupees(one.opening_paise)],
        ['New', (one) => rupees(one.new_paise)],
        ['Expansion', (one) => rupees(one.expansion_paise)],
        ['Reactivation', (one) => rupees(one.reactivation_paise)],
        ['Moved in', (one) => rupees(one.moved_in_paise)],
        ['Contraction', (one) => rupees(-one.contraction_paise)],
        ['Churn', (one) => rupees(-one.churn_paise)],
        ['Moved out', (one) => rupees(-one.moved_out_paise)],
        ['Closing', (one) => rupees(one.closing_paise)],
        ['Customers', (one) => number(one.closing_customers)],
      ]}
    />
  );
}

export function ChurnSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="churn"
      none={none}
      chart={{ name: 'Customer churn', text: share, bars: barsOf(recurring, (one) => one.customer_churn_bps) }}
      rows={recurring.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['Customers at the beginning', (one) => number(one.opening_customers)],
        ['Lost', (one) => number(one.churned_customers)],
        ['Customer churn', (one) => share(one.customer_churn_bps)],
        ['Gross revenue churn', (one) => share(one.gross_churn_bps)],
        ['Net revenue churn', (one) => share(one.net_churn_bps)],
      ]}
    />
  );
}

export function AverageSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="average"
      none={none}
      chart={{ name: 'Average revenue per customer', text: rupees, bars: barsOf(recurring, (one) => one.arpa_paise) }}
      rows={recurring.toReversed()}
      columns={[
        ['Month', (one) => monthName(one.month)],
        ['Closing MRR', (one) => rupees(one.closing_paise)],
        ['Customers', (one) => number(one.closing_customers)],
        ['ARPA', (one) => (one.arpa_paise === null ? '–' : rupees(one.arpa_paise))],
      ]}
    />
  );
}
