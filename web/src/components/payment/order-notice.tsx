import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useLocation } from 'react-router';
import { ButtonLink } from '../button';
import { InvoiceButton } from '../invoice/invoice-button';
import { Notice } from '../notice';
import { paymentStatusQuery } from './api/payment-status';

/** What a link passes along to the screen that is to show an order. */
export interface OrderState {
  order: string;
}

/** The order that somebody came to see, by the link that led here; nothing for everybody else. */
export function OrderNotice() {
  const { state } = useLocation() as { state: Partial<OrderState> | null };
  const id = state?.order ?? '';
  const titleId = useId();
  const { data: order } = useQuery(paymentStatusQuery(id));
  if (!order) return null;
  const { transaction_id, amount, selection, invoice_id, invoice_number } = order;
  const facts = [
    selection?.plan_name,
    selection && (selection.plan_type === 'yearly' ? 'billed annually' : 'billed monthly'),
    `${amount} paid`,
  ].filter(Boolean);
  return (
    <section aria-labelledby={titleId} className="mb-4">
      <Notice tone="success">
        <h2 id={titleId} className="text-lg">
          Your order
        </h2>
        <p>{facts.join(' · ')}</p>
        <p className="text-muted text-sm tabular">Order Id {transaction_id}</p>
        <div className="d-flex flex-wrap gap-3 mt-3">
          {invoice_id && <InvoiceButton id={invoice_id} number={invoice_number} size="sm" />}
          <ButtonLink
            to={`/subscription_list?search=${encodeURIComponent(transaction_id)}`}
            variant="outline"
            size="sm"
          >
            Renewals &amp; Billing
          </ButtonLink>
        </div>
      </Notice>
    </section>
  );
}
