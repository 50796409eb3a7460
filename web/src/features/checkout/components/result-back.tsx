import BackIcon from 'bootstrap-icons/icons/arrow-counterclockwise.svg?component';
import { ButtonLink } from '@/components/button';
import { Documents } from '@/components/invoice/documents';
import { InputTaxNotice, TakenAgain, wayBack } from '@/components/payment/money-back';
import { paymentWords } from '@/components/payment/words';
import { usePageMeta } from '@/lib/page-meta';
import { formatInstant } from '@/lib/format';
import { chargedText } from '../result';
import { OrderId } from './order-id';
import type { PartProps } from './result-parts';
import { TryAgain } from './try-again';

/** An order whose money is back, all of it or what the bank took. */
export function GivenBack({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.refunded.title });
  return (
    <>
      <BackIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>
        {result.refund_state === 'fully' ? 'This order was refunded' : 'Your bank took this payment back'}
      </h1>
      <p className="text-muted">
        {result.refunded} of {result.amount} went back to you
        {result.refund_state === 'fully' && wayBack(result.refund_channel)}
        {result.refunded_at && `, on ${formatInstant(result.refunded_at)}`}. The documents are below and under Renewals
        &amp; Billing.
      </p>
      <OrderId id={id} />
      <TakenAgain of={result} />
      <Documents documents={result.documents} />
      <InputTaxNotice rows={[result]} />
      <div className="result-actions">
        <ButtonLink to="/subscription_list?tab=payments">Renewals &amp; Billing</ButtonLink>
      </div>
    </>
  );
}

/** A payment that bought nothing and goes back: how much, by which way, and when it was done. */
export function Returned({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.returned.title });
  const done = result.refund_state === 'fully';
  return (
    <>
      <BackIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{done ? 'Your money was given back' : 'Your money is on its way back'}</h1>
      <div className="result-reason">
        {result.reason && <p>{result.reason}</p>}
        <p>
          <b>
            {done ? `${result.refunded} went back` : `${result.refunding} is on its way back`}
            {wayBack(result.refund_channel)}
            {done && result.refunded_at && `, on ${formatInstant(result.refunded_at)}`}.
          </b>
        </p>
      </div>
      <p className="text-muted text-sm">
        Your bank may take a few days to show it. Nothing was activated by this payment.
      </p>
      <OrderId id={id} />
      <Documents documents={result.documents} />
      <TryAgain result={result} />
    </>
  );
}

/** The customer gave the payment up at the gateway. */
export function Cancelled({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.cancelled.title });
  return (
    <>
      <BackIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{paymentWords.cancelled.title}</h1>
      {result.reason && <p className="text-lg">{result.reason}</p>}
      <p>{chargedText[result.charged]}</p>
      <OrderId id={id} />
      <TryAgain result={result} />
    </>
  );
}
