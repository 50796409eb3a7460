import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Documents } from '@/domain/invoice/documents';
import { StatusText } from '@/ui/notice';
import { Async } from '@/ui/states';
import { moneyBackText } from '@/domain/payment/money-back';
import type { components } from '@/lib/api/schema.gen';
import { formatDay } from '@/lib/format';
import { spendingQuery } from '../api/spending';
import { Card } from './card';
import { SpendChart } from './spend-chart';

type PaymentRow = components['schemas']['PaymentRow'];

/** Number of bars that fit. */
const BARS = 12;
/** Number of newest payments listed with their invoices. */
const LISTED = 3;
/** Milliseconds between polls for an invoice that is being generated. */
const LOOK_AGAIN_MS = 3000;

function Recent({ payment }: { payment: PaymentRow }) {
  const back = moneyBackText(payment);
  return (
    <li className="spend-row">
      <span>
        {formatDay(payment.payment_date)}
        <span className="text-muted d-block text-sm tabular">{payment.invoice_number}</span>
      </span>
      <span className="spend-amount">
        <b className="tabular">{payment.payable_total}</b>
        {back && <span className="text-muted d-block text-sm tabular">{back}</span>}
      </span>
      {payment.documents.length > 0 ? (
        <Documents documents={payment.documents} variant="quiet" />
      ) : (
        <StatusText tone="info">{t`Invoice is being prepared`}</StatusText>
      )}
    </li>
  );
}

/** Payments so far, with the newest documents at hand; fully refunded payments are listed but not drawn. */
export function SpendingCard() {
  const spending = useQuery({
    ...spendingQuery,
    refetchInterval: ({ state }) =>
      state.data?.some((row) => row.state === 'paid' && !row.invoice_id) ? LOOK_AGAIN_MS : false,
  });
  return (
    <Card title={t`Your payments`} action={<Link to="/subscription_list?tab=payments">{t`All payments`}</Link>}>
      <Async query={spending} what={t`your payments`}>
        {(rows) => {
          const paid = rows.filter(({ state }) => state === 'paid');
          const listed = rows.filter(({ state }) => state === 'paid' || state === 'refunded').slice(0, LISTED);
          if (listed.length === 0)
            return <p className="text-muted">{t`No payments yet. Each payment appears here with its GST invoice.`}</p>;
          const bars = paid.slice(0, BARS).reverse();
          return (
            <>
              {bars.length > 1 && (
                <SpendChart
                  payments={bars.map(({ id, payment_date, payable_total }) => ({
                    id,
                    date: payment_date,
                    amount: payable_total,
                  }))}
                />
              )}
              <ul className="plain-list spend-list">
                {listed.map((payment) => (
                  <Recent key={payment.id} payment={payment} />
                ))}
              </ul>
            </>
          );
        }}
      </Async>
    </Card>
  );
}
