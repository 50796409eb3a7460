import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { ButtonLink } from '@/ui/button';
import { Async, EmptyState } from '@/ui/states';
import { paymentWords, viewOf, type PaymentView } from '@/domain/payment/words';
import { toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { useResult } from '../result';
import { Cancelled, GivenBack, Returned } from './result-back';
import { Confirming, Failed, Held, NotPaid, Paid, type PartProps } from './result-parts';
import './checkout.scss';

const parts: Record<PaymentView, ComponentType<PartProps>> = {
  unpaid: NotPaid,
  confirming: Confirming,
  paid: Paid,
  failed: Failed,
  expired: Failed,
  held: Held,
  returned: Returned,
  owed: Returned,
  refunded: GivenBack,
  cancelled: Cancelled,
};

/**
 * The page after the gateway. Both result URLs show the server's state, whatever the gateway claimed on the way back, and poll it while the
 * payment is being confirmed.
 */
export function ResultPage() {
  usePageMeta({ title: t`Your order` });
  const { transactionId, status } = useResult();
  const { data: result } = status;
  const unknown = transactionId === '' || (status.isError && toApiError(status.error).status === 404);
  const Part = result && parts[viewOf(result)];
  return (
    <div className="container page">
      <div className="result panel panel-raised">
        <p role="status" className="visually-hidden">
          {result && t`${paymentWords[viewOf(result)].title}.`}
        </p>
        {!Part && <h1 tabIndex={-1} className="visually-hidden">{t`Your order`}</h1>}
        {unknown && (
          <EmptyState
            title={t`We could not find this order.`}
            action={<ButtonLink to="/subscription_list">{t`Renewals & Billing`}</ButtonLink>}
          >{t`The address may be incomplete, or the order belongs to another account. Your own orders are listed here.`}</EmptyState>
        )}
        {!unknown && !result && <Async query={status} what={t`your order`} lines={8} />}
        {result && Part && <Part id={transactionId} result={result} />}
      </div>
    </div>
  );
}
