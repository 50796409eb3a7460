import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListDate } from '@/ui/list/list-date';
import { ListTable } from '@/ui/list/list-table';
import { anyText, useListState } from '@/ui/list/use-list-state';
import { Async } from '@/ui/states';
import { formatDate } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { profitAndLossQuery, trialBalanceQuery, type ProfitAndLoss } from '../api/accounts';
import { monthName } from './account-words';
import { BookFilesSection } from '../books/book-files';
import { rupees } from '../customers/customer-words';
import { DeferredRevenueSection } from '../books/deferred-revenue';
import '../customers/support-customers.scss';

function BalanceAmount({ paise, total }: { paise: number; total: boolean }) {
  if (total) return <strong>{rupees(paise)}</strong>;
  return paise > 0 ? rupees(paise) : '–';
}

function TrialBalanceSection() {
  const { on = '' } = useListState({ on: anyText }).filter;
  const shown = useQuery({ ...trialBalanceQuery(on), placeholderData: keepPreviousData });
  return (
    <section aria-labelledby="trial-balance">
      <div className="console-bar">
        <h2 id="trial-balance">Trial balance</h2>
        <ListDate name="on" label="At the end of" otherwise={shown.data?.on} />
      </div>
      <Async query={shown} what="the trial balance" lines={8} />
      {shown.data && (
        <>
          <p>At the end of {formatDate(shown.data.on)}. What a day earned is booked in the night after it.</p>
          <ListTable
            caption="Balances of accounts"
            rows={[...shown.data.accounts, { account: 'total', name: 'Total', ...shown.data }]}
            rowKey={(one) => one.account}
            columns={[
              { label: 'Account', cell: (one) => one.name },
              {
                label: 'Debit',
                cell: (one) => <BalanceAmount paise={one.debit_paise} total={one.account === 'total'} />,
                numeric: true,
              },
              {
                label: 'Credit',
                cell: (one) => <BalanceAmount paise={one.credit_paise} total={one.account === 'total'} />,
                numeric: true,
              },
            ]}
          />
        </>
      )}
    </section>
  );
}

interface AmountsRow {
  key: string;
  name: string;
  paise: number[];
  strong?: boolean;
}

/** The amount of a month, or the sum of all months. */
function Amount({ of: { paise, strong }, month }: { of: AmountsRow; month?: number }) {
  const shown = rupees(month === undefined ? paise.reduce((all, one) => all + one, 0) : (paise[month] ?? 0));
  return strong ? <strong>{shown}</strong> : shown;
}

function ProfitTable({ of }: { of: ProfitAndLoss }) {
  const accounts = (type: 'income' | 'expense'): AmountsRow[] =>
    of.rows
      .filter((one) => one.type === type)
      .map((one) => ({ key: one.account, name: one.name, paise: one.months_paise }));
  return (
    <ListTable
      wide
      caption="Income and expenses"
      rows={[
        ...accounts('income'),
        { key: 'income', name: 'Income', paise: of.income_paise, strong: true },
        ...accounts('expense'),
        { key: 'expenses', name: 'Expenses', paise: of.expenses_paise, strong: true },
        { key: 'result', name: 'Result', paise: of.result_paise, strong: true },
      ]}
      rowKey={(row) => row.key}
      columns={[
        { label: 'Account', cell: (row) => row.name },
        ...of.months.map((month, at) => ({
          label: monthName(month),
          cell: (row: AmountsRow) => <Amount of={row} month={at} />,
          numeric: true,
        })),
        { label: 'Total', cell: (row) => <Amount of={row} />, numeric: true },
      ]}
    />
  );
}

/** Warns that the last month excludes gateway fees that are deducted on settlement. The estimate is not booked. */
function UnsettledNote({ of: { months, unsettled } }: { of: ProfitAndLoss }) {
  const month = months.at(-1);
  const last = unsettled.at(-1);
  if (!month || !last || last.captured_paise === 0) return null;
  return (
    <p>
      Gateways had not settled {rupees(last.captured_paise)} at the end of {monthName(month)}. Their fees for it are
      booked on settlement and are not in this month:{' '}
      {last.fees_estimate_paise === null
        ? 'no settlement tells their rate yet.'
        : `an estimated ${rupees(last.fees_estimate_paise)} before GST, at the rate of recent settlements.`}
    </p>
  );
}

function ProfitSection() {
  const { from = '', to = '' } = useListState({ from: anyText, to: anyText }).filter;
  const shown = useQuery({ ...profitAndLossQuery(from, to), placeholderData: keepPreviousData });
  return (
    <section aria-labelledby="profit-and-loss">
      <div className="console-bar">
        <h2 id="profit-and-loss">Profit and loss</h2>
        <ListDate name="from" label="From" type="month" otherwise={shown.data?.months[0]} />
        <ListDate name="to" label="To" type="month" otherwise={shown.data?.months.at(-1)} />
      </div>
      <Async query={shown} what="profit and loss" lines={6} />
      {shown.data && (
        <>
          <ProfitTable of={shown.data} />
          <UnsettledNote of={shown.data} />
        </>
      )}
    </section>
  );
}

/** The accounts: deferred revenue and when it is earned, the trial balance of a day, and profit and loss by month. */
export function AccountsPage() {
  usePageMeta({ title: 'Accounts' });
  return (
    <>
      <h1>Accounts</h1>
      <DeferredRevenueSection />
      <TrialBalanceSection />
      <ProfitSection />
      <BookFilesSection />
    </>
  );
}
