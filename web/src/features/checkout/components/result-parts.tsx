import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check-circle-fill.svg?component';
import ClockIcon from 'bootstrap-icons/icons/hourglass-split.svg?component';
import FailedIcon from 'bootstrap-icons/icons/x-circle-fill.svg?component';
import ShieldIcon from 'bootstrap-icons/icons/shield-exclamation.svg?component';
import { useEffect, useState } from 'react';
import { BoughtOfPlan } from '@/domain/bought-of-plan';
import { ButtonLink } from '@/ui/button';
import { InvoiceByEmail } from '@/domain/email-proof/confirm-email';
import { Documents } from '@/domain/invoice/documents';
import { InvoiceButton } from '@/domain/invoice/invoice-button';
import { Notice } from '@/ui/notice';
import { InputTaxNotice, TakenAgain, moneyBackText } from '@/domain/payment/money-back';
import { orderPath } from '@/domain/payment/order-path';
import { paymentWords } from '@/domain/payment/words';
import type { components } from '@/lib/api/schema.gen';
import { usePageMeta } from '@/lib/page-meta';
import { operator } from '@/lib/operator';
import { chargedText } from '../result';
import { OrderId } from './order-id';
import { TryAgain } from './try-again';

type PaymentState = components['schemas']['PaymentState'];

/** Delay in milliseconds before the page says that waiting is unnecessary. */
const LONG_WAIT_MS = 20_000;

/** Whether `ms` milliseconds have passed since the page opened. */
function useElapsed(ms: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return elapsed;
}

export interface PartProps {
  id: string;
  result: PaymentState;
}

export function Confirming({ id, result }: PartProps) {
  const long = useElapsed(LONG_WAIT_MS);
  usePageMeta({ title: paymentWords.confirming.title });
  return (
    <>
      <ClockIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{paymentWords.confirming.title}…</h1>
      <p className="text-muted">{t`Your bank and the payment provider are processing ${result.amount}. This usually takes a few seconds, and this page updates automatically. You can leave it: nothing is lost.`}</p>
      <OrderId id={id} />
      {long && (
        <Notice
          live
        >{t`This is taking longer than usual. You can leave this page: nothing is lost, and the order appears under Renewals & Billing as soon as it is confirmed.`}</Notice>
      )}
      {long && (
        <div className="result-actions">
          <ButtonLink to="/subscription_list" variant="outline">{t`Renewals & Billing`}</ButtonLink>
        </div>
      )}
    </>
  );
}

/** The gateway knows of no payment: the customer can still pay. */
export function NotPaid({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.unpaid.title });
  return (
    <>
      <ClockIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{paymentWords.unpaid.title}</h1>
      <p className="text-lg">{t`The payment provider has no record of a payment of ${result.amount}.`}</p>
      <p className="text-muted">
        {chargedText.unknown} {t`This page updates automatically.`}
      </p>
      <OrderId id={id} />
      <TryAgain result={result} to="/subscription_list" other={t`Renewals & Billing`} />
    </>
  );
}

const paidText: Record<PaymentState['kind'], string> = {
  new: t`Your plan is active.`,
  upgrade: t`Your new plan is active.`,
  switch: t`Your new plan is active.`,
  downgrade: t`Your change takes effect at the renewal.`,
  renewal: t`Your plan is renewed.`,
  add_on: t`Your add-ons are active.`,
  trial: t`Your free trial has begun.`,
};

export function Paid({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.paid.title });
  const ready = result.has_store_details;
  const back = moneyBackText(result, result.amount);
  return (
    <>
      <CheckIcon className="result-icon result-paid" />
      <h1 tabIndex={-1}>{t`Congratulations!`}</h1>
      <p className="text-lg">{t`Your Order has been successfully placed`}</p>
      <OrderId id={id} />
      <dl className="order-facts">
        <div>
          <dt>{t`Paid`}</dt>
          <dd className="tabular">{result.amount}</dd>
        </div>
        {result.invoice_number && (
          <div>
            <dt>{t`Invoice`}</dt>
            <dd className="tabular">{result.invoice_number}</dd>
          </div>
        )}
        {back && (
          <div>
            <dt>{t`Since then`}</dt>
            <dd className="tabular">{back}</dd>
          </div>
        )}
      </dl>
      <p className="text-muted">
        {paidText[result.kind]}{' '}
        {ready
          ? result.kind === 'add_on'
            ? t`See them on your dashboard.`
            : t`See it on your dashboard.`
          : t`Next, name your store; it takes a minute.`}
      </p>
      <div className="result-actions">
        {!ready && <ButtonLink to="/store-details" size="lg">{t`Set up your store`}</ButtonLink>}
        <ButtonLink to={orderPath(id)} variant={ready ? 'primary' : 'outline'} size="lg">{t`View Order`}</ButtonLink>
        {result.invoice_id && <InvoiceButton id={result.invoice_id} number={result.invoice_number} size="lg" />}
      </div>
      {result.kind !== 'trial' && <InvoiceByEmail />}
      {result.kind !== 'trial' && result.kind !== 'renewal' && (
        <BoughtOfPlan planName={result.selection?.plan_name ?? null} />
      )}
      <TakenAgain of={result} />
      {back && <Documents documents={result.documents.filter(({ kind }) => kind !== 'invoice')} />}
      <InputTaxNotice rows={[result]} />
    </>
  );
}

/** A payment that failed or was not confirmed in time. */
export function Failed({ id, result }: PartProps) {
  const { title, label } = paymentWords[result.state === 'expired' ? 'expired' : 'failed'];
  usePageMeta({ title });
  return (
    <>
      <FailedIcon className="result-icon result-failed" />
      <h1 tabIndex={-1}>{label}</h1>
      <p className="text-lg">{t`Your order could not be processed`}</p>
      <div className="result-reason">
        {result.reason && <p>{result.reason}</p>}
        <p>
          <b>{chargedText[result.charged]}</b>
        </p>
      </div>
      <OrderId id={id} />
      <TryAgain result={result} />
    </>
  );
}

export function Held({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.held.title });
  return (
    <>
      <ShieldIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{paymentWords.held.title}</h1>
      <p className="text-muted">
        {result.reason || t`Something about it does not match your order.`}{' '}
        {t`${result.amount} was received. We are checking it; nothing has been activated yet. Please do not pay again.`}
      </p>
      <p>
        <b>{chargedText[result.charged]}</b>
      </p>
      <OrderId id={id} />
      <p className="text-muted">
        <Trans>
          Questions? Tell us the order id: <a href={operator.phoneHref}>{operator.phone}</a>,{' '}
          <a href={`mailto:${operator.email}`}>{operator.email}</a>.
        </Trans>
      </p>
    </>
  );
}
