import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink } from '@/components/button';
import { Documents } from '@/components/invoice/documents';
import { StatusText } from '@/components/notice';
import type { Charge } from '@/components/payment/charge';
import { resultPath } from '@/components/payment/held-notice';
import { InputTaxNotice, moneyBackText } from '@/components/payment/money-back';
import { PaymentDetailsModal } from '@/components/payment/payment-details-modal';
import { usePayment } from '@/components/payment/use-payment';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { exportOrders } from '../api/export-orders';
import { ordersQuery } from '../api/orders';
import { useListQuery } from '../list';
import { chargeOf, orderTone, unpaidText, type OrderRow } from '../words';
import { DataTable, type Column } from './data-table';
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

function StatusCell({ row }: { row: OrderRow }) {
  const { subscription_status_value: status, captured } = row;
  const payment = unpaidText(row);
  return (
    <span className="d-block">
      <StatusText tone={orderTone[status]}>{status}</StatusText>
      {payment && <span className="text-muted d-block text-sm cell-note">{payment}</span>}
      {status === 'Under review' && (
        <span className="text-muted d-block text-sm cell-note">
          We are looking at your payment of {captured}. Please do not pay again.
        </span>
      )}
      {status === 'Being confirmed' && (
        <span className="text-muted d-block text-sm cell-note">We are waiting for your bank and keep checking.</span>
      )}
    </span>
  );
}

function AmountCell({ row }: { row: OrderRow }) {
  const notes = [
    row.captured && row.captured !== row.payable_total && `${row.captured} received`,
    moneyBackText(row),
  ].filter(Boolean);
  return (
    <span className="d-block">
      {row.payable_total}
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
  if (role !== 'owner') return row.documents.length > 0 && <Documents documents={row.documents} />;
  if (row.subscription_status_value === 'Under review' || row.subscription_status_value === 'Being confirmed') {
    return (
      row.transaction_id && (
        <ButtonLink to={resultPath(row.transaction_id)} variant="outline" size="sm">
          See this payment
        </ButtonLink>
      )
    );
  }
  if (row.subscription_status_value === 'Inactive') {
    const charge = chargeOf(row);
    if (charge && eraseOn)
      return <span className="text-muted text-sm">Cannot be paid while your account is to be erased</span>;
    return (
      charge && (
        <Button size="sm" onClick={() => onPay(charge)}>
          Pay
          <span className="visually-hidden">
            {' '}
            {row.payable_total} for {row.plan_name} · {row.service_name}
          </span>
        </Button>
      )
    );
  }
  return row.documents.length > 0 && <Documents documents={row.documents} />;
}

function columnsOf(onPay: ActionProps['onPay']): Column<OrderRow>[] {
  return [
    { title: 'Plan', cell: (row) => <PlanCell row={row} /> },
    { title: 'Purchased', cell: (row) => formatDate(row.plan_purchase_date) },
    { title: 'Ends', cell: (row) => formatDate(row.plan_end_date) },
    { title: 'Renews', cell: (row) => formatDate(row.plan_renew_on) },
    { title: 'Status', cell: (row) => <StatusCell row={row} /> },
    { title: 'Amount', cell: (row) => <AmountCell row={row} />, numeric: true },
    { title: 'Action', cell: (row) => <OrderAction row={row} onPay={onPay} />, actions: true },
  ];
}

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
      <ListFrame query={orders} one="order" many="orders" exportAll={exportOrders}>
        {(rows) => (
          <>
            <InputTaxNotice rows={rows} />
            <DataTable caption="Orders" columns={columnsOf(handlePay)} rows={rows} rowKey={(row) => row.id} />
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
