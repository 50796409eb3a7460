import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import {
  eInvoiceCountsQuery,
  eInvoicesKey,
  eInvoicesQuery,
  registerEInvoice,
  type EInvoice,
  type EInvoiceState,
} from '../api/e-invoices';
import { meQuery } from '../api/queries';
import { ConsoleTable } from './console-table';
import { CsvLink } from './csv-link';
import { rupees } from './customer-words';
import { ReasonDialog } from './reason-dialog';
import { StateFilter } from './state-filter';
import { When } from './when';
import './support-customers.scss';

const names: Record<EInvoiceState, string> = {
  waiting: 'Waits for the portal',
  registered: 'Registered',
  refused: 'Refused',
  unsigned: 'Registered, signed QR code to be fetched',
  cancelled: 'Cancelled at the portal',
};

interface RegistrationProps {
  of: EInvoice;
  now: number;
  /** Retries a refused registration; undefined if the user's role may not. */
  onAsk: (() => void) | undefined;
}

function Registration({ of: one, now, onAsk }: RegistrationProps) {
  return (
    <tr>
      <th scope="row">{one.number}</th>
      <td data-label="Recipient">
        <Link to={`/support/customers/${one.customer_id}`}>{one.name}</Link>, {one.gstin}
      </td>
      <td data-label="Issued">
        <When at={one.issued_at} now={now} />
      </td>
      <td data-label="Total">{rupees(one.total_paise)}</td>
      <td data-label="Registration">
        {names[one.state]}
        {one.code && `: ${one.message} (${one.code})`}
        {one.state === 'cancelled' && '. The document counts for nothing: give it back by a credit note.'}
        {one.irn && <code className="d-block text-break">{one.irn}</code>}
        {(one.state === 'refused' || one.state === 'unsigned') && onAsk && (
          <Button variant="outline" size="sm" onClick={onAsk}>
            Ask again
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Registrations of documents at the Invoice Registration Portal; admins can retry refused ones. */
export function EInvoicesPage() {
  usePageMeta({ title: 'E-invoices' });
  const [params] = useSearchParams();
  const me = useQuery(meQuery);
  const queries = useQueryClient();
  const [asked, setAsked] = useState<EInvoice>();
  const state = (Object.keys(names) as EInvoiceState[]).find((one) => one === params.get('state'));
  const counts = useQuery(eInvoiceCountsQuery);
  const list = useQuery({
    ...eInvoicesQuery({ page: Math.max(1, Number(params.get('page')) || 1), ...(state && { state }) }),
    placeholderData: keepPreviousData,
  });
  const count = (one: EInvoiceState) =>
    counts.data && one !== 'registered' && counts.data[one] > 0 ? ` (${counts.data[one]})` : '';
  const counted = { ...names };
  for (const one of Object.keys(names) as EInvoiceState[]) counted[one] += count(one);
  return (
    <>
      <div className="console-bar">
        <h1>E-invoices</h1>
        <StateFilter id="e-invoice-state" label="Registration" names={counted} value={state} />
        <CsvLink list="e-invoices" filter={{ state }} />
      </div>
      {counts.data && !counts.data.registering && (
        <p>
          Documents are not registered: EINVOICE_FROM is not set. The law asks for it above a turnover of 5 crore
          rupees.
        </p>
      )}
      <QueryStates query={list} what="the registrations" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="Nothing here">
          Invoices and credit notes to recipients with a GSTIN appear here once they are registered at the Invoice
          Registration Portal.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable wide caption="E-invoices" heads={['Number', 'Recipient', 'Issued', 'Total', 'Registration']}>
          {list.data.data.map((one) => (
            <Registration
              key={one.id}
              of={one}
              now={list.dataUpdatedAt}
              onAsk={me.data?.role === 'admin' ? () => setAsked(one) : undefined}
            />
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of e-invoices" current={list.data.current_page} last={list.data.last_page} />
      )}
      {asked && (
        <ReasonDialog
          title={`Ask the portal again for ${asked.number}`}
          effect="The portal registers a number once, so that nothing can be registered twice. The PDF is made once the document is registered."
          label="Ask again"
          suggestions={['The GSTIN is active at the portal now', 'The portal was not up to date']}
          act={(reason) => registerEInvoice(asked.id, reason)}
          onDone={({ message }) => {
            setAsked(undefined);
            toast.success(message);
            void queries.invalidateQueries({ queryKey: eInvoicesKey });
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
