import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column } from '@/ui/list/list-table';
import { ListPage } from '@/ui/list/list-page';
import { oneOf, onlyTrue, useListState } from '@/ui/list/use-list-state';
import { useMay } from '../api/rights';
import { taxQuery, type DeductedTax } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { CsvLink } from '../shared/csv-link';
import { TdsDialog } from './tds-dialog';
import { percent, taxNames, taxStateOf, taxStates } from '../transfers/transfer-words';
import { count } from '../shared/count';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

const lateNames = { true: 'Unmatched for more than 120 days' };

const columnsOf = (onNote: ((of: DeductedTax) => void) | undefined): Column<DeductedTax>[] => [
  {
    label: 'Proforma',
    cell: (one) => (
      <>
        {one.proforma}
        {one.invoice_number && <span className="console-hint d-block">{one.invoice_number}</span>}
      </>
    ),
  },
  {
    label: 'Customer',
    cell: (one) => (
      <>
        <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>
        <span className="console-hint d-block">
          {[one.tan, one.pan].filter(Boolean).join(' · ') || (one.kind === 'gst' ? 'No PAN yet' : 'No TAN yet')}
        </span>
      </>
    ),
    long: true,
  },
  { label: 'Tax', cell: (one) => `${taxNames[one.kind]} ${percent(one.rate_bps)}, code ${one.code}` },
  { label: 'Period', cell: (one) => `${one.tax_year} Q${one.quarter}` },
  {
    label: 'Amount',
    cell: (one) => (
      <>
        {rupees(one.amount_paise)}
        {one.reversed_paise > 0 && (
          <span className="console-hint d-block">{rupees(one.reversed_paise)} taken back with a refund</span>
        )}
      </>
    ),
    numeric: true,
  },
  {
    label: 'Form 168 or GST portal',
    cell: (one) => (
      <>
        {one.shown_paise === null ? 'Not seen' : rupees(one.shown_paise)}
        {one.difference_paise !== 0 && (
          <strong className="d-block">
            {rupees(Math.abs(one.difference_paise))} {one.difference_paise > 0 ? 'missing' : 'too much'}
          </strong>
        )}
      </>
    ),
    numeric: true,
  },
  {
    label: 'State',
    filter: [
      { name: 'state', options: taxStates },
      { name: 'late', label: 'Age', options: lateNames },
    ],
    cell: (one) => (
      <>
        {taxStateOf(one.kind, one.state)}
        {one.certificate && <span className="console-hint d-block">{one.certificate}</span>}
        {one.state !== 'matched' && <span className="console-hint d-block">{count(one.age_days, 'day')}</span>}
        {onNote && (
          <Offer onClick={() => onNote(one)} of={`what was found of ${one.proforma}`}>
            Note
          </Offer>
        )}
      </>
    ),
  },
];

/** Tax that customers deducted at source, followed until our tax account and the certificate agree with it. */
export function TdsPage() {
  const [noted, setNoted] = useState<DeductedTax>();
  const { filter, page } = useListState({ state: oneOf(taxStates), late: onlyTrue });
  const list = useQuery(taxQuery({ page, ...filter }));
  const money = useMay('money');
  return (
    <>
      <ListPage
        wide
        title="Tax deducted at source"
        caption="Deducted tax"
        query={list}
        what="the deducted tax"
        columns={columnsOf(money ? setNoted : undefined)}
        rowKey={(one) => one.id}
        acts={<CsvLink list="tds" filter={filter} />}
        empty="Tax that a customer deducted from a bank transfer appears here until its certificate is received and agrees."
      />
      {noted && <TdsDialog of={noted} onClose={() => setNoted(undefined)} />}
    </>
  );
}
