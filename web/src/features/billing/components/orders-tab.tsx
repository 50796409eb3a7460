import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Documents } from '@/domain/invoice/documents';
import { DataTable, type Column } from '@/ui/list/list-table';
import { StatusText } from '@/ui/notice';
import { transfersQuery, type Transfer } from '@/domain/payment/api/transfers';
import type { Charge } from '@/domain/payment/charge';
import { resultPath } from '@/domain/payment/held-notice';
import { InputTaxNotice, moneyBackText } from '@/domain/payment/money-back';
import { PaymentDetailsModal } from '@/domain/payment/payment-details-modal';
import { transferPath } from '@/domain/payment/transfer-offer';
import { usePayment } from '@/domain/payment/use-payment';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { exportOrders } from '../api/exports';
import { ordersQuery } from '../api/orders';
import { useListQuery } from '../list';
import { chargeOf, orderLabel, orderTone, unpaidText, type OrderRow } from '../words';
import { ListFrame } from './list-frame';

function PlanCell({ row }: { row: OrderRow }) {
  const addOns = row.franchiser_add_ons_services.map(({ add_ons_service_name: name }) => name);
  return (
    <span className="d-block">
      <b>
        {row.plan_name} · {row.service_name}
      </b>
      {addOns.length > 0 && <span className="text-muted d-block text-sm">+ {addOns.join(', ')}</span>}
      <span className="text-muted d-block text-sm tabular">{row.transaction_id}</span>
    </span>
  );
}

/** The order's bill that waits for a bank transfer, if there is one. */
function useTransferOf(row: OrderRow): Transfer | undefined {
  const waits = row.subscription_status_value === 'Inactive' && chargeOf(row) !== null;
  const { data } = useQuery({ ...transfersQuery, enabled: waits });
  return waits ? data?.transfers.find(({ order_id: id, state }) => id === row.id && state === 'open') : undefined;
}

function StatusCell({ row }: { row: OrderRow }) {
  const transfer = useTransferOf(row);
  const { subscription_status_value: status, captured } = row;
  const payment = unpaidText(row);
  return (
    <span className="d-block">
      <StatusText tone={orderTone[status]}>{orderLabel[status]}</StatusText>
      {payment && <span className="text-muted d-block text-sm cell-note">{payment}</span>}
      {transfer && (
        <span className="text-muted d-block text-sm cell-note">
          {transfer.received_paise > 0
            ? t`${transfer.received} has arrived by bank transfer, ${transfer.rest} is still due.`
            : t`Waiting for your transfer (${transfer.number})`}
        </span>
      )}
      {status === 'Under review' && (
        <span className="text-muted d-block text-sm cell-note">{t`We are looking at your payment of ${captured ?? ''}. Please do not pay again.`}</span>
      )}
      {status === 'Being confirmed' && (
        <span className="text-muted d-block text-sm cell-note">{t`We are waiting for your bank and keep checking.`}</span>
      )}
    </span>
  );
}

function AmountCell({ row }: { row: OrderRow }) {
  const list = row.list_price;
  const notes = [
    row.captured && row.captured !== row.payable_total && t`${row.captured} received`,
    moneyBackText(row),
  ].filter(Boolean);
  return (
    <span className="d-block">
      {row.payable_total}
      {list && (
        <span className="text-muted d-block text-sm cell-note">{t`List price ${list} before GST and add-ons, less the annual discount`}</span>
      )}
      {notes.length > 0 && <span className="text-muted d-block text-sm cell-note">{notes.join(' · ')}</span>}
    </span>
  );
}

interface ActionProps {
  row: OrderRow;
  onPay: (charge: Charge) => void;
}

function OrderAction({ row, onPay }: ActionProps) {
  const { eraseOn, role } = useSession();
  const transfer = useTransferOf(row);
  if (role !== 'owner') return row.documents.length > 0 && <Documents documents={row.documents} />;
  if (row.subscription_status_value === 'Under review' || row.subscription_status_value === 'Being confirmed') {
    return (
      row.transaction_id && (
        <ButtonLink to={resultPath(row.transaction_id)} variant="outline" size="sm">{t`See this payment`}</ButtonLink>
      )
    );
  }
  if (row.subscription_status_value === 'Inactive') {
    const charge = chargeOf(row);
    if (transfer && transfer.received_paise > 0)
      return <ButtonLink to={transferPath(transfer.id)} variant="outline" size="sm">{t`See the transfer`}</ButtonLink>;
    if (charge && eraseOn)
      return (
        <span className="text-muted text-sm">{t`Cannot be paid while your account is scheduled for erasure`}</span>
      );
    return (
      charge && (
        <Button size="sm" onClick={() => onPay(charge)}>
          <Trans>
            Pay
            <span className="visually-hidden">
              {' '}
              {row.payable_total} for {row.plan_name} · {row.service_name}
            </span>
          </Trans>
        </Button>
      )
    );
  }
  return row.documents.length > 0 && <Documents documents={row.documents} />;
}

function columnsOf(onPay: ActionProps['onPay']): Column<OrderRow>[] {
  return [
    { label: t`Plan`, cell: (row) => <PlanCell row={row} /> },
    { label: t`Purchased`, cell: (row) => <span className="text-nowrap">{formatDate(row.plan_purchase_date)}</span> },
    { label: t`Ends`, cell: (row) => <span className="text-nowrap">{formatDate(row.plan_end_date)}</span> },
    { label: t`Renews`, cell: (row) => <span className="text-nowrap">{formatDate(row.plan_renew_on)}</span> },
    { label: t`Status`, cell: (row) => <StatusCell row={row} /> },
    { label: t`Amount`, cell: (row) => <AmountCell row={row} />, numeric: true },
    { label: t`Action`, cell: (row) => <OrderAction row={row} onPay={onPay} />, actions: true },
  ];
}

const counted = (total: number) => plural(total, { one: '# order', other: '# orders' });

/** The orders: unpaid ones can be paid, paid ones have documents. */
export function OrdersTab() {
  const query = useListQuery();
  const orders = useQuery(ordersQuery(query));
  const { pathname, search } = useLocation();
  const back = pathname + search;
  const [charge, setCharge] = useState<Charge | null>(null);
  const [paying, setPaying] = useState(false);
  const payment = usePayment({ back });
  const handlePay = (chosen: Charge) => {
    setCharge(chosen);
    setPaying(true);
  };
  return (
    <>
      <ListFrame query={orders} many={t`orders`} counted={counted} exportAll={exportOrders}>
        {(rows) => (
          <>
            <InputTaxNotice rows={rows} />
            <DataTable caption={t`Orders`} columns={columnsOf(handlePay)} rows={rows} rowKey={(row) => row.id} />
          </>
        )}
      </ListFrame>
      {charge && (
        <PaymentDetailsModal
          open={paying}
          charge={charge}
          payment={payment}
          back={back}
          onClose={() => setPaying(false)}
        />
      )}
    </>
  );
}
