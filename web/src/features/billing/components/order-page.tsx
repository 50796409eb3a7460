import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { BoughtOfPlan } from '@/domain/bought-of-plan';
import { Breadcrumb } from '@/ui/breadcrumb';
import { ButtonLink } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { Documents } from '@/domain/invoice/documents';
import { StatusText } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { dashboardQuery, runs } from '@/domain/payment/api/dashboard';
import { InputTaxNotice, arrivalText, moneyBackText } from '@/domain/payment/money-back';
import { resultPath } from '@/domain/payment/held-notice';
import { orderPath } from '@/domain/payment/order-path';
import { SetupChecklist } from '@/domain/setup/setup-checklist';
import { Async, EmptyState } from '@/ui/states';
import { formatDate } from '@/lib/format';
import { newerOrdersQuery, ordersQuery } from '../api/orders';
import { orderLabel, orderTone, unpaidText, type OrderRow } from '../words';
import './billing.scss';

/** Milliseconds between polls for an invoice that is being generated. */
const LOOK_AGAIN_MS = 3000;

function isPaid({ subscription_status_value: status }: OrderRow): boolean {
  return !['Inactive', 'Cancelled', 'Under review', 'Being confirmed'].includes(status);
}

/** True for a paid order whose plan or add-ons still work, or will. */
function isInUse(order: OrderRow): boolean {
  return isPaid(order) && !['Replaced', 'Expired', 'Refunded'].includes(order.subscription_status_value);
}

function factsOf(order: OrderRow): [string, string][] {
  const addOns = order.franchiser_add_ons_services.map(({ add_ons_service_name: name }) => name).join(', ');
  const back = moneyBackText(order, order.payable_total);
  const facts: [string, string][] = [
    [t`Plan`, `${order.plan_name} · ${order.service_name}`],
    [t`Billed`, order.plan_type === 'yearly' ? t`Annually` : t`Monthly`],
    [t`Add-ons`, addOns || '-'],
    [isPaid(order) ? t`Paid, with GST` : t`To pay, with GST`, order.payable_total],
    [t`List price, before GST and add-ons`, order.list_price ?? ''],
    [t`Ordered on`, formatDate(order.plan_purchase_date)],
    [t`Ends on`, formatDate(order.plan_end_date)],
    [t`Renews on`, formatDate(order.plan_renew_on)],
    [t`Since then`, back],
  ];
  return facts.filter(([, value]) => value && value !== '-');
}

/** The order that replaced the plan, which is the next paid order of a plan, and the credit notes. */
function Replaced({ order }: { order: OrderRow }) {
  const { data: newer } = useQuery(newerOrdersQuery(order.id));
  const by = newer?.findLast((row) => row.kind !== 'add_on' && isPaid(row));
  if (!by) return null;
  const day = formatDate(by.plan_purchase_date);
  const plan = `${by.plan_name} · ${by.service_name}`;
  const credits = order.documents.filter(({ kind }) => kind === 'credit_note');
  return (
    <p className="text-muted">
      {by.transaction_id ? (
        <Trans>
          Your order of {day} replaced this one: <Link to={orderPath(by.transaction_id)}>{plan}</Link>.
        </Trans>
      ) : (
        t`Your order of ${day} replaced this one: ${plan}.`
      )}
      {credits.map(({ id, amount, number }) => (
        <span key={id}> {t`${amount} of it was credited, with credit note ${number}.`}</span>
      ))}
    </p>
  );
}

function Order({ order, id }: { order: OrderRow; id: string }) {
  const unpaid = unpaidText(order);
  return (
    <section className="panel panel-raised order-page" aria-label={t`Your order`}>
      <div>
        <StatusText tone={orderTone[order.subscription_status_value]}>
          {orderLabel[order.subscription_status_value]}
        </StatusText>
        {unpaid && <p className="text-muted">{unpaid}</p>}
        {order.subscription_status_value === 'Replaced' && <Replaced order={order} />}
      </div>
      <dl className="order-page-facts">
        {factsOf(order).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="order-page-id">
        <span className="text-muted">{t`Order Id`}</span> <b className="tabular">{id}</b>
        <CopyButton value={id} what={t`order id`} done={t`Id copied`} />
      </p>
      {arrivalText(order) && <p className="text-muted">{arrivalText(order)}</p>}
      <InputTaxNotice rows={[order]} />
      {isPaid(order) && order.documents.length === 0 && (
        <p className="text-muted">{t`Your invoice is being prepared.`}</p>
      )}
      <div className="d-flex flex-wrap gap-3">
        <Documents documents={order.documents} />
        {!isPaid(order) && (
          <ButtonLink to={resultPath(id)} variant="outline" size="sm">{t`See this payment`}</ButtonLink>
        )}
      </div>
      {order.plan_renew_on !== '-' && (
        <p className="text-muted text-sm">{t`We remind you before it renews on ${formatDate(order.plan_renew_on)}. Nothing is debited unless you choose automatic renewal.`}</p>
      )}
    </section>
  );
}

/** What remains to be done before the shop is live. */
function Next() {
  const { data } = useQuery(dashboardQuery);
  if (!data?.subscription || !runs(data.subscription)) return null;
  return <SetupChecklist subscription={data.subscription} tenant={data.tenant} hides />;
}

/** One order, identified by the transaction that paid for it: its items, term and documents, and the next steps. */
export function OrderPage() {
  const { transactionId: id = '' } = useParams();
  const orders = useQuery({
    ...ordersQuery({ page: 1, search: id }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((row) => isPaid(row) && row.documents.length === 0 && row.refund_state === 'none')
        ? LOOK_AGAIN_MS
        : false,
  });
  const order = orders.data?.data.find(({ transaction_id: of }) => of === id);
  return (
    <div className="container page billing">
      <Breadcrumb items={[{ label: t`Renewals & Billing`, to: '/subscription_list' }, { label: t`Your order` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Your order`}
          actions={<ButtonLink to="/dashboard" variant="outline">{t`Dashboard`}</ButtonLink>}
        >{t`Your order`}</PageTitle>
      </div>
      <Async query={orders} what={t`your order`} lines={8} tellStale />
      {orders.data && !order && !orders.isPlaceholderData && (
        <EmptyState
          title={t`We could not find this order.`}
          action={<ButtonLink to="/subscription_list">{t`Renewals & Billing`}</ButtonLink>}
        >{t`The address may be incomplete, or the order belongs to another account. Your own orders are listed here.`}</EmptyState>
      )}
      {order && (
        <div className="stack-lg">
          <Order order={order} id={id} />
          {isInUse(order) && (
            <BoughtOfPlan
              planName={order.kind === 'add_on' ? null : order.plan_name}
              addOns={order.franchiser_add_ons_services.map(({ add_ons_service_name: name }) => name)}
            />
          )}
          <Next />
        </div>
      )}
    </div>
  );
}
