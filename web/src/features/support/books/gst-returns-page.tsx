import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { usePage, useSetFilter } from '@/ui/list/use-list-state';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { PageBar } from '@/ui/list/page-bar';
import { gstReturnFile, gstReturnQuery, gstReturnsQuery, type GstFigure, type GstReturn } from '../api/help';
import { useMay } from '../api/rights';
import { DownloadLink } from '../shared/csv-link';
import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';
import { Codes, DocumentsLink, FigureDocuments, figureOf, tableNames, taxColumns } from './gst-figures';
import '../customers/support-customers.scss';

const kindNames: Record<GstReturn['series'][number]['kind'], string> = {
  invoice: 'Invoices',
  credit_note: 'Credit notes',
  receipt_voucher: 'Receipt vouchers',
  refund_voucher: 'Refund vouchers',
};

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
      <ListTable
        caption={caption}
        rows={rows}
        rowKey={(one) => one.name}
        columns={[
          { label: 'Figure', cell: (one) => one.name },
          { label: 'Return', cell: (one) => rupees(one.return_paise), numeric: true },
          { label: other, cell: (one) => rupees(one.other_paise), numeric: true },
          {
            label: 'Difference',
            cell: (one) => (one.differs ? <strong>{rupees(one.return_paise - one.other_paise)}</strong> : 'None'),
            numeric: true,
          },
        ]}
      />
    </>
  );
}

/** Table 13: the numbers issued in each series. */
function Series({ of, out }: { of: GstReturn; out: boolean }) {
  if (of.series.length === 0) return null;
  return (
    <>
      <h2>13: numbers issued</h2>
      <ListTable
        caption="Numbers"
        rows={of.series}
        rowKey={(one) => one.from}
        columns={[
          { label: 'Documents', cell: (one) => kindNames[one.kind] },
          { label: 'From', cell: (one) => one.from },
          { label: 'To', cell: (one) => one.to },
          { label: 'Issued', cell: (one) => one.issued },
          { label: 'Cancelled', cell: (one) => one.lost + one.cancelled },
        ]}
      />
      {out && (
        <p>
          <a href={gstReturnFile(of.month, 'docs')} download>
            CSV of table 13
          </a>
        </p>
      )}
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
      <ListTable
        wide
        caption="Tables"
        rows={of.tables}
        rowKey={(one) => one.table}
        isCurrent={(one) => one.table === figure?.table}
        columns={[
          { label: 'Table', cell: (one) => tableNames[one.table] },
          {
            label: 'Documents',
            cell: (one) => <DocumentsLink month={of.month} figure={{ table: one.table }} documents={one.documents} />,
            numeric: true,
          },
          ...taxColumns,
          ...(out
            ? [
                {
                  label: 'File',
                  cell: (one: GstReturn['tables'][number]) => (
                    <a
                      href={gstReturnFile(of.month, one.table)}
                      download
                      aria-label={`CSV of ${tableNames[one.table]}`}
                    >
                      CSV
                    </a>
                  ),
                  numeric: true,
                },
              ]
            : []),
        ]}
      />
      <Codes of={of} out={out} figure={figure} />
      {figure && <FigureDocuments month={of.month} figure={figure} page={page} />}
      <Compared caption="Against the books" other="Books" rows={of.books} />
      <Compared caption="Against table 12, by service code" other="Table 12" rows={of.codes} />
      <Series of={of} out={out} />
    </>
  );
}

/** A month's GST return: its tables, its reconciliation with the books, and, for admins, its file. */
export function GstReturnsPage() {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const page = usePage();
  const months = useQuery(gstReturnsQuery);
  const month = months.data?.find((one) => one === params.get('month')) ?? months.data?.[1];
  const shown = useQuery({ ...gstReturnQuery(month ?? ''), enabled: month !== undefined });
  const files = useMay('files');
  return (
    <>
      <PageBar title="GST returns">
        <NativeSelectField
          box="console-filter"
          label="Month"
          options={(months.data ?? []).map((one) => [one, monthName(one)])}
          value={month ?? ''}
          onChange={(chosen) => set({ month: chosen, table: '', sac: '', rate_bps: '' })}
        />
        {files && shown.data?.over && shown.data.sound && (
          <DownloadLink href={gstReturnFile(shown.data.month)}>Download for the portal</DownloadLink>
        )}
      </PageBar>
      {months.data ? (
        <Async query={shown} what="the return" lines={8} />
      ) : (
        <Async query={months} what="the months" lines={8} />
      )}
      {shown.data && <MonthsReturn of={shown.data} files={files} figure={figureOf(params)} page={page} />}
    </>
  );
}
