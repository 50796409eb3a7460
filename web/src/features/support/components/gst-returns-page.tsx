import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { gstReturnFile, gstReturnQuery, gstReturnsQuery, type GstFigure, type GstReturn } from '../api/help';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { FilterField } from './filter-field';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { Codes, DocumentsLink, FigureDocuments, figureOf, tableNames } from './gst-figures';
import './support-customers.scss';

const kindNames: Record<GstReturn['series'][number]['kind'], string> = {
  invoice: 'Invoices',
  credit_note: 'Credit notes',
  receipt_voucher: 'Receipt vouchers',
  refund_voucher: 'Refund vouchers',
};

const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

function stateOf({ over, sound }: GstReturn): string {
  if (!sound)
    return 'It differs from the books, or the portal would refuse it: it cannot be downloaded until that is settled.';
  return over
    ? 'Every figure agrees with the books. It can be downloaded and filed.'
    : 'Every figure agrees with the books. It can be downloaded when the month is over.';
}

function Compared({ caption, other, rows }: { caption: string; other: string; rows: GstReturn['books'] }) {
  return (
    <>
      <h2>{caption}</h2>
      <ConsoleTable numbers caption={caption} heads={['Figure', 'Return', other, 'Difference']}>
        {rows.map((one) => (
          <tr key={one.name}>
            <th scope="row">{one.name}</th>
            <td data-label="Return">{rupees(one.return_paise)}</td>
            <td data-label={other}>{rupees(one.other_paise)}</td>
            <td data-label="Difference">
              {one.differs ? <strong>{rupees(one.return_paise - one.other_paise)}</strong> : 'None'}
            </td>
          </tr>
        ))}
      </ConsoleTable>
    </>
  );
}

interface MonthsReturnProps {
  of: GstReturn;
  files: boolean;
  figure: GstFigure | undefined;
  page: number;
}

function MonthsReturn({ of, files, figure, page }: MonthsReturnProps) {
  const out = files && of.over && of.sound;
  const heads = ['Table', 'Documents', 'Taxable value', 'CGST', 'SGST and UTGST', 'IGST', ...(out ? ['File'] : [])];
  return (
    <>
      <p>{stateOf(of)}</p>
      {of.cancelled.length > 0 && (
        <p>
          Left out, because they were cancelled at the Invoice Registration Portal or take back an invoice that was:{' '}
          {of.cancelled.join(', ')}. Table 13 counts them as cancelled, and the comparison with the books adds them.
        </p>
      )}
      {of.problems.length > 0 && (
        <ul className="trail-list">
          {of.problems.map((one) => (
            <li key={one} className="console-error">
              {one}.
            </li>
          ))}
        </ul>
      )}
      <ConsoleTable wide numbers caption="Tables" heads={heads}>
        {of.tables.map((one) => (
          <tr key={one.table} aria-current={one.table === figure?.table || undefined}>
            <th scope="row">{tableNames[one.table]}</th>
            <td data-label="Documents">
              <DocumentsLink month={of.month} figure={{ table: one.table }} documents={one.documents} />
            </td>
            <td data-label="Taxable value">{rupees(one.taxable_paise)}</td>
            <td data-label="CGST">{rupees(one.cgst_paise)}</td>
            <td data-label="SGST and UTGST">{rupees(one.sgst_paise)}</td>
            <td data-label="IGST">{rupees(one.igst_paise)}</td>
            {out && (
              <td data-label="File">
                <a href={gstReturnFile(of.month, one.table)} download aria-label={`CSV of ${tableNames[one.table]}`}>
                  CSV
                </a>
              </td>
            )}
          </tr>
        ))}
      </ConsoleTable>
      <Codes of={of} out={out} figure={figure} />
      {figure && <FigureDocuments month={of.month} figure={figure} page={page} />}
      <Compared caption="Against the books" other="Books" rows={of.books} />
      <Compared caption="Against table 12, by service code" other="Table 12" rows={of.codes} />
      {of.series.length > 0 && (
        <>
          <h2>13: numbers issued</h2>
          <ConsoleTable caption="Numbers" heads={['Documents', 'From', 'To', 'Issued', 'Cancelled']}>
            {of.series.map((one) => (
              <tr key={one.from}>
                <th scope="row">{kindNames[one.kind]}</th>
                <td data-label="From">{one.from}</td>
                <td data-label="To">{one.to}</td>
                <td data-label="Issued">{one.issued}</td>
                <td data-label="Cancelled">{one.lost + one.cancelled}</td>
              </tr>
            ))}
          </ConsoleTable>
          {out && (
            <p>
              <a href={gstReturnFile(of.month, 'docs')} download>
                CSV of table 13
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
}

/** A month's GST return: its tables, its reconciliation with the books, and, for admins, its file. */
export function GstReturnsPage() {
  usePageMeta({ title: 'GST returns' });
  const [params, setParams] = useSearchParams();
  const me = useQuery(meQuery);
  const months = useQuery(gstReturnsQuery);
  const month = months.data?.find((one) => one === params.get('month')) ?? months.data?.[1];
  const shown = useQuery({ ...gstReturnQuery(month ?? ''), enabled: month !== undefined });
  const files = may(me.data?.role, 'files');
  return (
    <>
      <div className="console-bar">
        <h1>GST returns</h1>
        <FilterField id="gst-month" label="Month">
          <select
            id="gst-month"
            className="input"
            value={month ?? ''}
            onChange={(event) => setParams({ month: event.target.value }, { replace: true })}
          >
            {months.data?.map((one) => (
              <option key={one} value={one}>
                {monthName(one)}
              </option>
            ))}
          </select>
        </FilterField>
        {files && shown.data?.over && shown.data.sound && (
          <a className="btn btn-outline btn-sm" href={gstReturnFile(shown.data.month)} download>
            Download for the portal
          </a>
        )}
      </div>
      {months.data ? (
        <QueryStates query={shown} what="the return" lines={8} />
      ) : (
        <QueryStates query={months} what="the months" lines={8} />
      )}
      {shown.data && (
        <MonthsReturn
          of={shown.data}
          files={files}
          figure={figureOf(params)}
          page={Math.max(1, Number(params.get('page')) || 1)}
        />
      )}
    </>
  );
}
