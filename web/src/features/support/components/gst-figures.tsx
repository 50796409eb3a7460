import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Pagination } from '@/components/pagination';
import { QueryStates } from '@/components/states';
import { formatDate } from '@/lib/format';
import { gstDocumentsQuery, gstReturnFile, type GstFigure, type GstReturn, type GstReturnTable } from '../api/help';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { OpenDocument } from './open-document';

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
  const list = useQuery({ ...gstDocumentsQuery(month, { ...figure, page }), placeholderData: keepPreviousData });
  const heading = useRef<HTMLHeadingElement>(null);
  const name = figureName(figure);
  // Focus moves here because the documents are below the table, on a phone far below.
  useEffect(() => heading.current?.focus(), [name]);
  return (
    <section aria-labelledby="gst-documents">
      <h2 id="gst-documents" ref={heading} tabIndex={-1}>
        Documents of {name}
      </h2>
      <QueryStates query={list} what="the documents" lines={4} />
      {list.data?.data.length === 0 && <p>There are none.</p>}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Documents"
          heads={['Number', 'Date', 'Recipient', 'GSTIN', 'State', 'Total', 'Document']}
        >
          {list.data.data.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                {one.number}
                {one.original_number && <span className="console-hint"> for {one.original_number}</span>}
              </th>
              <td data-label="Date">{formatDate(one.date)}</td>
              <td data-label="Recipient" className="console-clip">
                <Link to={`/support/customers/${one.customer_id}`}>{one.name || 'Customer'}</Link>
              </td>
              <td data-label="GSTIN">{one.gstin || 'None'}</td>
              <td data-label="State">{one.place_of_supply}</td>
              <td data-label="Total">{rupees(one.total_paise)}</td>
              <td data-label="Document">
                <OpenDocument customer={one.customer_id} invoice={one.id} number={one.number} />
              </td>
            </tr>
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of documents" current={list.data.current_page} last={list.data.last_page} />
      )}
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
      aria-label={`${documents} documents of ${figureName(figure)}`}
    >
      {documents}
    </Link>
  );
}

/** Table 12: by service code and rate, for recipients with a GSTIN and for others. */
export function Codes({ of, out, figure }: { of: GstReturn; out: boolean; figure: GstFigure | undefined }) {
  const heads = ['Recipients', 'Code', 'Rate', 'Documents', 'Taxable value', 'CGST', 'SGST and UTGST', 'IGST'];
  return (
    <>
      <h2>12: by service code</h2>
      {of.hsn.length === 0 && <p>Nothing was supplied.</p>}
      {of.hsn.length > 0 && (
        <ConsoleTable wide numbers caption="Service codes" heads={heads}>
          {of.hsn.map(({ table, sac, rate_bps, documents, ...one }) => {
            const row = { table, sac, rate_bps };
            return (
              <tr key={figureName(row)} aria-current={(figure && figureName(figure) === figureName(row)) || undefined}>
                <th scope="row">{codeTables[table]}</th>
                <td data-label="Code">{sac}</td>
                <td data-label="Rate">{percent(rate_bps)}</td>
                <td data-label="Documents">
                  <DocumentsLink month={of.month} figure={row} documents={documents} />
                </td>
                <td data-label="Taxable value">{rupees(one.taxable_paise)}</td>
                <td data-label="CGST">{rupees(one.cgst_paise)}</td>
                <td data-label="SGST and UTGST">{rupees(one.sgst_paise)}</td>
                <td data-label="IGST">{rupees(one.igst_paise)}</td>
              </tr>
            );
          })}
        </ConsoleTable>
      )}
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
