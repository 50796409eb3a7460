import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { taxExport, taxQuery, type DeductedTax } from '../api/transfers';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { StateFilter } from './state-filter';
import { TdsDialog } from './tds-dialog';
import { percent, taxNames, taxStateOf, taxStates } from './transfer-words';
import './support-customers.scss';

const lateNames = { true: 'Unmatched for more than 120 days' };

function Row({ of: one, onNote }: { of: DeductedTax; onNote: (() => void) | undefined }) {
  return (
    <tr>
      <th scope="row">
        {one.proforma}
        {one.invoice_number && <span className="console-hint d-block">{one.invoice_number}</span>}
      </th>
      <td data-label="Customer" className="console-clip">
        <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>
        <span className="console-hint d-block">
          {[one.tan, one.pan].filter(Boolean).join(' · ') || (one.kind === 'gst' ? 'No PAN yet' : 'No TAN yet')}
        </span>
      </td>
      <td data-label="Tax">
        {taxNames[one.kind]} {percent(one.rate_bps)}, code {one.code}
      </td>
      <td data-label="Period">
        {one.tax_year} Q{one.quarter}
      </td>
      <td data-label="Amount">
        {rupees(one.amount_paise)}
        {one.reversed_paise > 0 && (
          <span className="console-hint d-block">{rupees(one.reversed_paise)} taken back with a refund</span>
        )}
      </td>
      <td data-label={one.kind === 'gst' ? 'GST portal' : 'Form 168'}>
        {one.shown_paise === null ? 'Not seen' : rupees(one.shown_paise)}
        {one.difference_paise !== 0 && (
          <strong className="d-block">
            {rupees(Math.abs(one.difference_paise))} {one.difference_paise > 0 ? 'missing' : 'too much'}
          </strong>
        )}
      </td>
      <td data-label="State">
        {taxStateOf(one.kind, one.state)}
        {one.certificate && <span className="console-hint d-block">{one.certificate}</span>}
        {one.state !== 'matched' && <span className="console-hint d-block">{one.age_days} days</span>}
        {onNote && (
          <Button variant="outline" size="sm" onClick={onNote}>
            Note<span className="visually-hidden"> what was found of {one.proforma}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Tax that customers deducted at source, followed until our tax account and the certificate agree with it. */
export function TdsPage() {
  usePageMeta({ title: 'Tax deducted at source' });
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [noted, setNoted] = useState<DeductedTax>();
  const state = (Object.keys(taxStates) as DeductedTax['state'][]).find((one) => one === params.get('state'));
  const late = params.get('late') === 'true';
  const filter = { ...(state && { state }), ...(late && { late }) };
  const list = useQuery({
    ...taxQuery({ page: Math.max(1, Number(params.get('page')) || 1), ...filter }),
    placeholderData: keepPreviousData,
  });
  const money = may(me.data?.role, 'money');
  return (
    <>
      <div className="console-bar">
        <h1>Tax deducted at source</h1>
        <StateFilter id="tds-state" label="State" names={taxStates} value={state} />
        <StateFilter id="tds-late" label="Age" names={lateNames} value={late ? 'true' : undefined} param="late" />
        {may(me.data?.role, 'files') && (
          <a className="btn btn-outline btn-sm" href={taxExport(filter)} download>
            Download CSV
          </a>
        )}
      </div>
      <QueryStates query={list} what="the deducted tax" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="Nothing here">
          Tax that a customer deducted from a bank transfer appears here until its certificate is received and agrees.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Deducted tax"
          heads={['Proforma', 'Customer', 'Tax', 'Period', 'Amount', 'Form 168 or GST portal', 'State']}
        >
          {list.data.data.map((one) => (
            <Row key={one.id} of={one} onNote={money ? () => setNoted(one) : undefined} />
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of deducted tax" current={list.data.current_page} last={list.data.last_page} />
      )}
      {noted && (
        <TdsDialog
          of={noted}
          onDone={({ message }) => {
            setNoted(undefined);
            toast.success(message);
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'support' });
          }}
          onClose={() => setNoted(undefined)}
        />
      )}
    </>
  );
}
