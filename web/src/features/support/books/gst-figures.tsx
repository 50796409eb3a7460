import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import { ListTable, type Column } from '@/ui/list/list-table';
import { formatDate } from '@/lib/format';
import { gstDocumentsQuery, gstReturnFile, type GstFigure, type GstReturn, type GstReturnTable } from '../api/help';
import { rupees } from '../customers/customer-words';
import { OpenDocument } from '../money/open-document';
import { count } from '../shared/count';

export const tableNames: Record<GstReturnTable, string> = {
  b2b: '4: to recipients with a GSTIN',
  b2cl: '5: above ₹1 lakh to another State, without a GSTIN',
  b2cs: '7: all others, less their credit notes',
  cdnr: '9B: credit notes to recipients with a GSTIN',
  cdnur: '9B: credit notes for table 5',
  at: '11A: advances received',
  txpd: '11B: earlier advances invoiced or given back',
};

const codeTables: Record<GstReturn['hsn'][number]['table'], string> = {
  hsn_b2b: 'With a GSTIN',
  hsn_b2c: 'Others',
};

const percent = (bps: number) => `${bps / 100}%`;

/** What a figure is called in headings and links. */
const figureName = ({ table, sac, rate_bps: rate = 0 }: GstFigure) =>
  table === 'hsn_b2b' || table === 'hsn_b2c'
    ? `12: ${sac} at ${percent(rate)}, ${table === 'hsn_b2b' ? 'with a GSTIN' : 'others'}`
    : tableNames[table];

/** The figure that the address names, if any. */
export function figureOf(params: URLSearchParams): GstFigure | undefined {
  const table = params.get('table');
  const sac = params.get('sac');
  if (table === 'hsn_b2b' || table === 'hsn_b2c')
    return sac ? { table, sac, rate_bps: Number(params.get('rate_bps')) || 0 } : undefined;
  const named = (Object.keys(tableNames) as GstReturnTable[]).find((one) => one === table);
  return named && { table: named };
}

/** The documents behind a figure. */
export function FigureDocuments({ month, figure, page }: { month: string; figure: GstFigure; page: number }) {
  const list = useQuery(gstDocumentsQuery(month, { ...figure, page }));
  const heading = useRef<HTMLHeadingElement>(null);
  const name = figureName(figure);
  // Focus moves here because the documents are below the table, on a phone far below.
  useEffect(() => heading.current?.focus(), [name]);
  return (
    <section aria-labelledby="gst-documents">
      <h2 id="gst-documents" ref={heading} tabIndex={-1}>
        Documents of {name}
      </h2>
      <ListPage
        untitled
        title="Documents"
        query={list}
        what="the documents"
        empty="There are none."
        wide
        rowKey={(one) => one.id}
        columns={[
          {
            label: 'Number',
            cell: (one) => (
              <>
                {one.number}
                {one.original_number && <span className="console-hint"> for {one.original_number}</span>}
              </>
            ),
          },
          { label: 'Date', cell: (one) => formatDate(one.date) },
          {
            label: 'Recipient',
            cell: (one) => <Link to={`/support/customers/${one.customer_id}`}>{one.name || 'Customer'}</Link>,
            long: true,
          },
          { label: 'GSTIN', cell: (one) => one.gstin || 'None' },
          { label: 'State', cell: (one) => one.place_of_supply },
          { label: 'Total', cell: (one) => rupees(one.total_paise), numeric: true },
          {
            label: 'Document',
            cell: (one) => <OpenDocument customer={one.customer_id} invoice={one.id} number={one.number} />,
          },
        ]}
      />
    </section>
  );
}

/** The number of documents behind a figure, as a link to them. */
export function DocumentsLink({ month, figure, documents }: { month: string; figure: GstFigure; documents: number }) {
  if (documents === 0) return 0;
  const { table, sac, rate_bps: rate = 0 } = figure;
  return (
    <Link
      to={`?month=${month}&table=${table}${sac ? `&sac=${sac}&rate_bps=${rate}` : ''}`}
      aria-label={`${count(documents, 'document')} of ${figureName(figure)}`}
    >
      {documents}
    </Link>
  );
}

type Taxed = Pick<GstReturn['tables'][number], 'taxable_paise' | 'cgst_paise' | 'sgst_paise' | 'igst_paise'>;

/** The columns of the taxable value and the taxes. */
export const taxColumns: Column<Taxed>[] = [
  { label: 'Taxable value', cell: (one) => rupees(one.taxable_paise), numeric: true },
  { label: 'CGST', cell: (one) => rupees(one.cgst_paise), numeric: true },
  { label: 'SGST and UTGST', cell: (one) => rupees(one.sgst_paise), numeric: true },
  { label: 'IGST', cell: (one) => rupees(one.igst_paise), numeric: true },
];

/** Table 12: by service code and rate, for recipients with a GSTIN and for others. */
export function Codes({ of, out, figure }: { of: GstReturn; out: boolean; figure: GstFigure | undefined }) {
  return (
    <>
      <h2>12: by service code</h2>
      <ListTable
        none={<p>Nothing was supplied.</p>}
        wide
        caption="Service codes"
        rows={of.hsn}
        rowKey={figureName}
        isCurrent={(one) => figure && figureName(figure) === figureName(one)}
        columns={[
          { label: 'Recipients', cell: (one) => codeTables[one.table] },
          { label: 'Code', cell: (one) => one.sac, numeric: true },
          { label: 'Rate', cell: (one) => percent(one.rate_bps), numeric: true },
          {
            label: 'Documents',
            cell: ({ documents, table, sac, rate_bps }) => (
              <DocumentsLink month={of.month} figure={{ table, sac, rate_bps }} documents={documents} />
            ),
            numeric: true,
          },
          ...taxColumns,
        ]}
      />

      {out && (
        <p>
          <a href={gstReturnFile(of.month, 'hsn_b2b')} download>
            CSV of table 12 for recipients with a GSTIN
          </a>{' '}
          ·{' '}
          <a href={gstReturnFile(of.month, 'hsn_b2c')} download>
            CSV of table 12 for others
          </a>
        </p>
      )}
    </>
  );
}
