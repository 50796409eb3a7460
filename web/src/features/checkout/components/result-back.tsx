import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import BackIcon from 'bootstrap-icons/icons/arrow-counterclockwise.svg?component';
import { ButtonLink } from '@/ui/button';
import { Documents } from '@/domain/invoice/documents';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { InputTaxNotice, TakenAgain, arrivalText, moneyBackText, wayBack } from '@/domain/payment/money-back';
import { paymentWords, viewOf } from '@/domain/payment/words';
import { usePageMeta } from '@/lib/page-meta';
import { formatInstant } from '@/lib/format';
import { chargedText } from '../result';
import { OrderId } from './order-id';
import type { PartProps } from './result-parts';
import { TryAgain } from './try-again';

/** The refund date, to follow the refund text; empty without a date. */
const whenText = (at: string | null): string => (at ? t`, on ${formatInstant(at)}` : '');

/** An order that was refunded in full or charged back. */
export function GivenBack({ id, result }: PartProps) {
  usePageMeta({ title: paymentWords.refunded.title });
  const { refunded, amount, refund_state: state, refund_channel: channel, refunded_at: at } = result;
  const fully = state === 'fully';
  const way = fully ? wayBack(channel) : '';
  const when = whenText(at);
  return (
    <>
      <BackIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{fully ? t`This order was refunded` : t`Your bank took this payment back`}</h1>
      <p className="text-muted">
        {t`${refunded} of ${amount} went back to you${way}${when}.`}{' '}
        {t`The documents are below and under Renewals & Billing.`} {fully && arrivalText(result)}
      </p>
      <OrderId id={id} />
      <TakenAgain of={result} />
      <Documents documents={result.documents} />
      <InputTaxNotice rows={[result]} />
      <div className="result-actions">
        <ButtonLink to="/subscription_list?tab=payments">{t`Renewals & Billing`}</ButtonLink>
      </div>
    </>
  );
}

type Result = PartProps['result'];

/** The page's heading for a payment that bought nothing. */
function headingOf({ refund_state: state }: Result): string {
  if (state === 'fully') return t`Your money was refunded`;
  if (state === 'charged_back') return t`Your bank took this payment back`;
  return state === 'looked_at' ? t`Your refund is delayed` : t`Your money is on its way back`;
}

/** How much was or will be refunded, by which channel, and when. */
function wordsOf(result: Result): string {
  const { refund_state: state, amount, refunded, refunding, refund_channel: channel, refunded_at: at } = result;
  const way = wayBack(channel);
  switch (state) {
    case 'fully':
      return t`${refunded} went back${way}${whenText(at)}`;
    case 'on_its_way':
      return t`${refunding} is on its way back${way}`;
    case 'none':
      return t`${amount} is on its way back`;
    default:
      return moneyBackText(result, amount);
  }
}

/** After a refunded first purchase: the plan that another payment made active, or another attempt. */
function UnlessActive({ result }: { result: Result }) {
  const { data, isPending } = useQuery(dashboardQuery);
  if (isPending) return null;
  const active = data?.subscription;
  if (active?.state !== 'active' || active.payment_type === 'free trial') return <TryAgain result={result} />;
  return (
    <>
      <p>{t`Your plan ${active.plan_name} · ${active.service_name} is active. You do not need to pay again.`}</p>
      <div className="result-actions">
        <ButtonLink to="/dashboard" size="lg">{t`Dashboard`}</ButtonLink>
        <ButtonLink to="/helpcenter" variant="outline" size="lg">{t`Help & Support`}</ButtonLink>
      </div>
    </>
  );
}

/** A payment that bought nothing and is being refunded, or is with our staff if the gateway refused the refund for good. */
export function Returned({ id, result }: PartProps) {
  const view = viewOf(result);
  usePageMeta({ title: paymentWords[view].title });
  return (
    <>
      <BackIcon className="result-icon result-waiting" />
      <h1 tabIndex={-1}>{headingOf(result)}</h1>
      <div className="result-reason">
        {result.reason && <p>{result.reason}</p>}
        <p>
          <b>{wordsOf(result)}.</b>
        </p>
      </div>
      <p className="text-muted text-sm">
        {view === 'returned' && `${arrivalText(result) || t`Your bank may take a few days to show it.`} `}
        {t`Nothing was activated by this payment.`}
      </p>
      <OrderId id={id} />
      <TakenAgain of={result} />
      <Documents documents={result.documents} />
      {result.kind === 'new' ? <UnlessActive result={result} /> : <TryAgain result={result} />}
    </>
  );
}

/** The customer cancelled the payment at the gateway. */
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
