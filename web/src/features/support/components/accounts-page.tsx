import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { QueryStates } from '@/components/states';
import { formatDate } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { profitAndLossQuery, trialBalanceQuery, type ProfitAndLoss } from '../api/accounts';
import { FilterField } from './filter-field';
import { monthName } from './account-words';
import { BookFilesSection } from './book-files';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { DeferredRevenueSection } from './deferred-revenue';
import './support-customers.scss';

interface SectionProps {
  get: (name: string) => string;
  set: (name: string, value: string) => void;
}

function TrialBalanceSection({ get, set }: SectionProps) {
  const shown = useQuery({ ...trialBalanceQuery(get('on')), placeholderData: keepPreviousData });
  return (
    <section aria-labelledby="trial-balance">
      <div className="console-bar">
        <h2 id="trial-balance">Trial balance</h2>
        <FilterField id="trial-day" label="At the end of">
          <input
            id="trial-day"
            className="input"
            type="date"
            value={get('on') || (shown.data?.on ?? '')}
            onChange={(event) => set('on', event.target.value)}
          />
        </FilterField>
      </div>
      <QueryStates query={shown} what="the trial balance" lines={8} />
      {shown.data && (
        <>
          <p>At the end of {formatDate(shown.data.on)}. What a day earned is booked in the night after it.</p>
          <ConsoleTable numbers caption="Balances of accounts" heads={['Account', 'Debit', 'Credit']}>
            {shown.data.accounts.map((one) => (
              <tr key={one.account}>
                <th scope="row">{one.name}</th>
                <td data-label="Debit">{one.debit_paise > 0 ? rupees(one.debit_paise) : '–'}</td>
                <td data-label="Credit">{one.credit_paise > 0 ? rupees(one.credit_paise) : '–'}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">Total</th>
              <td data-label="Debit">
                <strong>{rupees(shown.data.debit_paise)}</strong>
              </td>
              <td data-label="Credit">
                <strong>{rupees(shown.data.credit_paise)}</strong>
              </td>
            </tr>
          </ConsoleTable>
        </>
      )}
    </section>
  );
}

function Amounts({ name, months, of, strong }: { name: string; months: string[]; of: number[]; strong?: boolean }) {
  const sum = of.reduce((all, one) => all + one, 0);
  return (
    <tr>
      <th scope="row">{name}</th>
      {[...months.map(monthName), 'Total'].map((month, i) => (
        <td key={month} data-label={month}>
          {strong ? <strong>{rupees(of[i] ?? sum)}</strong> : rupees(of[i] ?? sum)}
        </td>
      ))}
    </tr>
  );
}

function ProfitTable({ of }: { of: ProfitAndLoss }) {
  const rows = (type: 'income' | 'expense') =>
    of.rows
      .filter((one) => one.type === type)
      .map((one) => <Amounts key={one.account} name={one.name} months={of.months} of={one.months_paise} />);
  return (
    <ConsoleTable wide numbers caption="Income and expenses" heads={['Account', ...of.months.map(monthName), 'Total']}>
      {rows('income')}
      <Amounts strong name="Income" months={of.months} of={of.income_paise} />
      {rows('expense')}
      <Amounts strong name="Expenses" months={of.months} of={of.expenses_paise} />
      <Amounts strong name="Result" months={of.months} of={of.result_paise} />
    </ConsoleTable>
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

function ProfitSection({ get, set }: SectionProps) {
  const shown = useQuery({ ...profitAndLossQuery(get('from'), get('to')), placeholderData: keepPreviousData });
  const field = (name: 'from' | 'to', label: string, otherwise: string | undefined) => (
    <FilterField id={`profit-${name}`} label={label}>
      <input
        id={`profit-${name}`}
        className="input"
        type="month"
        value={get(name) || (otherwise ?? '')}
        onChange={(event) => set(name, event.target.value)}
      />
    </FilterField>
  );
  return (
    <section aria-labelledby="profit-and-loss">
      <div className="console-bar">
        <h2 id="profit-and-loss">Profit and loss</h2>
        {field('from', 'From', shown.data?.months[0])}
        {field('to', 'To', shown.data?.months.at(-1))}
      </div>
      <QueryStates query={shown} what="profit and loss" lines={6} />
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
  const [params, setParams] = useSearchParams();
  const get = (name: string) => params.get(name) ?? '';
  const set = (name: string, value: string) => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <>
      <h1>Accounts</h1>
      <DeferredRevenueSection />
      <TrialBalanceSection get={get} set={set} />
      <ProfitSection get={get} set={set} />
      <BookFilesSection month={get('month')} choose={(month) => set('month', month)} />
    </>
  );
}
