import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListFilter } from '@/ui/list/list-filter';
import { anyText, useListState } from '@/ui/list/use-list-state';
import { Async } from '@/ui/states';
import { bookFile, bookFilesQuery, type BookFiles } from '../api/accounts';
import { gstReturnsQuery } from '../api/help';
import { useMay } from '../api/rights';
import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { count } from '../shared/count';

const fileNames: Record<BookFiles['files'][number], string> = {
  tally_ledgers: 'Tally: accounts and all customers (before the first import)',
  tally_customers: 'Tally: customers who are new in the month',
  tally_vouchers: 'Tally: vouchers',
  zoho_invoices: 'Zoho Books: invoices',
  zoho_credit_notes: 'Zoho Books: credit notes',
};

function stateOf({ over, problems }: BookFiles): string {
  if (problems.length > 0)
    return 'The files would differ from the books: nothing can be downloaded until that is settled.';
  return over
    ? 'Everything agrees with the trial balance and the documents.'
    : 'Everything agrees with the trial balance and the documents. The files can be downloaded when the month is over.';
}

function Files({ of, takes }: { of: BookFiles; takes: boolean }) {
  return (
    <>
      <p>
        {monthName(of.month)}: {count(of.entries, 'entry', 'entries')} of {rupees(of.debit_paise)},{' '}
        {count(of.invoices, 'invoice')}, {count(of.credit_notes, 'credit note')},{' '}
        {count(of.new_customers, 'new customer')}. {stateOf(of)}
      </p>
      {of.problems.length > 0 && (
        <ul>
          {of.problems.map((one) => (
            <li key={one}>{one}.</li>
          ))}
        </ul>
      )}
      {takes && of.over && of.problems.length === 0 && (
        <ul>
          {of.files.map((file) => (
            <li key={file}>
              <a href={bookFile(of.month, file)} download>
                {fileNames[file]}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The files of a month of the books for Tally and Zoho Books. */
export function BookFilesSection() {
  const { month } = useListState({ month: anyText }).filter;
  const months = useQuery(gstReturnsQuery);
  const of = month ?? months.data?.[1] ?? '';
  const shown = useQuery({ ...bookFilesQuery(of), placeholderData: keepPreviousData, enabled: of !== '' });
  const takes = useMay('files');
  return (
    <section aria-labelledby="book-files">
      <div className="console-bar">
        <h2 id="book-files">For accounting software</h2>
        {months.data && (
          <ListFilter
            label="Month"
            name="month"
            options={months.data.map((one) => [one, monthName(one)] as const)}
            otherwise={of}
          />
        )}
      </div>
      <Async<unknown> query={months.isSuccess ? shown : months} what="the files" lines={3} />
      {shown.data && <Files of={shown.data} takes={takes} />}
    </section>
  );
}
