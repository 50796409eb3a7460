import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { FigureChart } from './figure-chart';
import { FigureSection, useFigures } from './figure-section';
import { number, share } from './figure-words';

const none = 'Nothing recurs in these months.';

/** Monthly recurring revenue and its movements; newest month first. */
export function RecurringSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="recurring"
      none={none}
      chart={
        <FigureChart
          name="Closing MRR"
          text={rupees}
          bars={recurring.map((one) => ({ label: monthName(one.month), value: one.closing_paise }))}
        />
      }
      heads={[
        'Month',
        'Opening',
        'New',
        'Expansion',
        'Reactivation',
        'Moved in',
        'Contraction',
        'Churn',
        'Moved out',
        'Closing',
        'Customers',
      ]}
      rows={[...recurring]
        .reverse()
        .map((one) => [
          monthName(one.month),
          rupees(one.opening_paise),
          rupees(one.new_paise),
          rupees(one.expansion_paise),
          rupees(one.reactivation_paise),
          rupees(one.moved_in_paise),
          rupees(-one.contraction_paise),
          rupees(-one.churn_paise),
          rupees(-one.moved_out_paise),
          rupees(one.closing_paise),
          number(one.closing_customers),
        ])}
    />
  );
}

export function ChurnSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="churn"
      none={none}
      chart={
        <FigureChart
          name="Customer churn"
          text={share}
          bars={recurring.map((one) => ({ label: monthName(one.month), value: one.customer_churn_bps ?? undefined }))}
        />
      }
      heads={[
        'Month',
        'Customers at the beginning',
        'Lost',
        'Customer churn',
        'Gross revenue churn',
        'Net revenue churn',
      ]}
      rows={[...recurring]
        .reverse()
        .map((one) => [
          monthName(one.month),
          number(one.opening_customers),
          number(one.churned_customers),
          share(one.customer_churn_bps),
          share(one.gross_churn_bps),
          share(one.net_churn_bps),
        ])}
    />
  );
}

export function AverageSection() {
  const { recurring } = useFigures().of;
  return (
    <FigureSection
      figure="average"
      none={none}
      chart={
        <FigureChart
          name="Average revenue per customer"
          text={rupees}
          bars={recurring.map((one) => ({ label: monthName(one.month), value: one.arpa_paise ?? undefined }))}
        />
      }
      heads={['Month', 'Closing MRR', 'Customers', 'ARPA']}
      rows={[...recurring]
        .reverse()
        .map((one) => [
          monthName(one.month),
          rupees(one.closing_paise),
          number(one.closing_customers),
          one.arpa_paise === null ? '–' : rupees(one.arpa_paise),
        ])}
    />
  );
}
