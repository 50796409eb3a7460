import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column } from '@/ui/list/list-table';
import { ListPage } from '@/ui/list/list-page';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import {
  eInvoiceCountsQuery,
  eInvoicesQuery,
  registerEInvoice,
  type EInvoice,
  type EInvoiceState,
} from '../api/e-invoices';
import { meQuery } from '../api/queries';
import { CsvLink } from '../shared/csv-link';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

const names: Record<EInvoiceState, string> = {
  waiting: 'Waits for the portal',
  registered: 'Registered',
  refused: 'Refused',
  unsigned: 'Registered, signed QR code to be fetched',
  cancelled: 'Cancelled at the portal',
};

interface RegistrationProps {
  of: EInvoice;
  /** Retries a refused registration; undefined if the user's role may not. */
  onAsk: ((of: EInvoice) => void) | undefined;
}

function Registration({ of: one, onAsk }: RegistrationProps) {
  return (
    <>
      {names[one.state]}
      {one.code && `: ${one.message} (${one.code})`}
      {one.state === 'cancelled' && '. The document counts for nothing: give it back by a credit note.'}
      {one.irn && <code className="d-block text-break">{one.irn}</code>}
      {(one.state === 'refused' || one.state === 'unsigned') && onAsk && (
        <Offer onClick={() => onAsk(one)}>Ask again</Offer>
      )}
    </>
  );
}

const columnsOf = (
  options: Record<EInvoiceState, string>,
  now: number,
  onAsk: RegistrationProps['onAsk'],
): Column<EInvoice>[] => [
  { label: 'Number', cell: (one) => one.number },
  {
    label: 'Recipient',
    cell: (one) => (
      <>
        <Link to={`/support/customers/${one.customer_id}`}>{one.name}</Link>, {one.gstin}
      </>
    ),
  },
  { label: 'Issued', cell: (one) => <When at={one.issued_at} now={now} /> },
  { label: 'Total', cell: (one) => rupees(one.total_paise), numeric: true },
  {
    label: 'Registration',
    cell: (one) => <Registration of={one} onAsk={onAsk} />,
    filter: { name: 'state', options },
  },
];

/** Registrations of documents at the Invoice Registration Portal; admins can retry refused ones. */
export function EInvoicesPage() {
  const me = useQuery(meQuery);
  const [asked, setAsked] = useState<EInvoice>();
  const { filter, page } = useListState({ state: oneOf(names) });
  const counts = useQuery(eInvoiceCountsQuery);
  const list = useQuery(eInvoicesQuery({ page, ...filter }));
  const count = (one: EInvoiceState) =>
    counts.data && one !== 'registered' && counts.data[one] > 0 ? ` (${counts.data[one]})` : '';
  const counted = { ...names };
  for (const one of Object.keys(names) as EInvoiceState[]) counted[one] += count(one);
  return (
    <>
      <ListPage
        wide
        title="E-invoices"
        query={list}
        what="the registrations"
        pages="e-invoices"
        columns={columnsOf(counted, list.dataUpdatedAt, me.data?.role === 'admin' ? setAsked : undefined)}
        rowKey={(one) => one.id}
        acts={<CsvLink list="e-invoices" filter={filter} />}
        intro={
          counts.data &&
          !counts.data.registering && (
            <p>
              Documents are not registered: EINVOICE_FROM is not set. The law asks for it above a turnover of 5 crore
              rupees.
            </p>
          )
        }
        empty="Invoices and credit notes to recipients with a GSTIN appear here once they are registered at the Invoice Registration Portal."
      />
      {asked && (
        <ReasonDialog
          title={`Ask the portal again for ${asked.number}`}
          effect="The portal registers a number once, so that nothing can be registered twice. The PDF is made once the document is registered."
          label="Ask again"
          suggestions={['The GSTIN is active at the portal now', 'The portal was not up to date']}
          act={(reason) => registerEInvoice(asked.id, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
