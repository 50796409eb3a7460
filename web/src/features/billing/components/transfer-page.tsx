import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Breadcrumb } from '@/ui/breadcrumb';
import { ButtonLink } from '@/ui/button';
import { Notice, StatusText } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { transferQuery, type Transfer } from '@/domain/payment/api/transfers';
import { formatDay } from '@/lib/format';
import { ProformaButton } from './proforma-button';
import { TransferAccount } from './transfer-account';
import { TransferCancel } from './transfer-cancel';
import { TransferUtr } from './transfer-utr';
import { transferState } from './transfer-words';
import './billing.scss';

/** What the state of the bill means for the customer, and what to do. */
function Standing({ of: bill }: { of: Transfer }) {
  switch (bill.state) {
    case 'paid':
      return (
        <Notice tone="success">
          {t`The money has arrived, and your plan is active. The tax invoice is in your payments.`}{' '}
          {bill.over_paise > 0 &&
            t`You transferred ${bill.over} too much. It is yours: we use it for your next bill or return it.`}{' '}
          <ButtonLink to="/subscription_list?tab=payments" variant="outline" size="sm">
            {t`See your payments`}
          </ButtonLink>
        </Notice>
      );
    case 'expired':
      return bill.received_paise > 0 ? (
        <Notice tone="warning">
          {t`This offer has expired, and ${bill.received} of it has arrived. That money is yours: we use it for your next bill or return it. Please do not transfer any more until you have a new proforma.`}
        </Notice>
      ) : (
        <Notice tone="warning">
          {t`This offer has expired. Please do not transfer any more: ask for a new proforma when you buy or renew. If your transfer is on its way, tell us its UTR below, and we will look for it.`}
        </Notice>
      );
    case 'cancelled':
      if (bill.cancelled_by)
        return (
          <Notice>
            {bill.cancelled_by === 'customer'
              ? t`You cancelled this proforma. Please do not transfer. If you have done so already, we return the money or use it as you wish.`
              : t`We cancelled this proforma. Please do not transfer. If you have done so already, we return the money or use it as you wish.`}
          </Notice>
        );
      return (
        <Notice>
          {t`What you ordered was paid in another way or has ended. Please do not transfer. If you have done so already, we return the money or use it as you wish.`}
        </Notice>
      );
    default:
      if (bill.unassigned_paise > 0)
        return (
          <Notice>
            {t`${bill.unassigned} has arrived on your account number. It is not the exact amount of one bill, so our staff look at it, also if you deducted tax. Please do not transfer it again.`}
          </Notice>
        );
      return bill.received_paise > 0 ? (
        <Notice tone="warning">{t`We have received ${bill.received}. ${bill.rest} is still due.`}</Notice>
      ) : null;
  }
}

function Deductions({ of: { deductibles } }: { of: Transfer }) {
  return (
    <section aria-labelledby="transfer-tds" className="mt-3">
      <h3 id="transfer-tds" className="text-lg">{t`If you deduct tax at source (TDS)`}</h3>
      <p className="text-muted text-sm">
        {t`Income tax is deducted from the value before GST. Send us the certificate (Form 131) afterwards.`}
      </p>
      <ul className="text-sm">
        {deductibles.map(({ rate_bps: rate, amount, transfer }) => (
          <li key={rate}>{t`At ${rate / 100}%: deduct ${amount}, transfer ${transfer}.`}</li>
        ))}
      </ul>
    </section>
  );
}

function Bill({ of: bill }: { of: Transfer }) {
  const { label, tone } = transferState(bill);
  const facts: [string, string][] = [
    [t`For`, bill.title],
    [t`Amount with GST`, bill.amount],
    [t`Received`, bill.received],
    [t`Income tax deducted (TDS)`, bill.tds_paise > 0 ? bill.tds : ''],
    [t`GST deducted`, bill.gst_tds_paise > 0 ? bill.gst_tds : ''],
    [t`Overpaid, still yours`, bill.over_paise > 0 ? bill.over : ''],
    [t`Balance due`, bill.rest],
    [t`Your purchase order`, bill.po_number],
    [t`Valid until`, bill.state === 'open' ? formatDay(bill.valid_until) : ''],
  ];
  const payable = bill.state === 'open' || bill.state === 'expired';
  return (
    <div className="stack">
      <section className="panel panel-raised order-page" aria-label={t`Your bank transfer`}>
        <StatusText tone={tone}>{label}</StatusText>
        <Standing of={bill} />
        <dl className="order-page-facts">
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="tabular">{value}</dd>
              </div>
            ))}
        </dl>
        <ProformaButton id={bill.id} number={bill.number} printed={bill.printed} />
      </section>
      {bill.state === 'open' && (
        <section className="panel panel-raised stack-sm" aria-labelledby="transfer-account">
          <h2 id="transfer-account" className="text-lg">{t`Transfer to this account`}</h2>
          <TransferAccount of={bill} />
          <Deductions of={bill} />
        </section>
      )}
      {payable && (
        <section className="panel panel-raised stack-sm" aria-labelledby="transfer-utr">
          <h2 id="transfer-utr" className="text-lg">{t`Already transferred?`}</h2>
          <TransferUtr of={bill} />
        </section>
      )}
      {bill.cancellable && <TransferCancel of={bill} />}
    </div>
  );
}

/** One bill to be paid by bank transfer: the bank account, the amount, the money received, and the proforma. */
export function TransferPage() {
  const { id = '' } = useParams();
  const query = useQuery(transferQuery(id));
  const number = query.data?.number ?? t`Bank transfer`;
  return (
    <div className="container page billing">
      <Breadcrumb
        items={[{ label: t`Renewals & Billing`, to: '/subscription_list?tab=transfers' }, { label: number }]}
      />
      <div className="mt-3">
        <PageTitle title={t`Bank transfer`}>
          {query.data ? (
            <Trans>
              Proforma <span className="text-nowrap">{number}</span>
            </Trans>
          ) : (
            t`Bank transfer`
          )}
        </PageTitle>
      </div>
      <Async
        query={query}
        what={t`your bank transfer`}
        lines={8}
        missing={
          <EmptyState
            title={t`We could not find this bank transfer.`}
            action={<ButtonLink to="/subscription_list?tab=transfers">{t`Renewals & Billing`}</ButtonLink>}
          >{t`The address may be incomplete, or the transfer belongs to another account.`}</EmptyState>
        }
      >
        {(bill) => <Bill of={bill} />}
      </Async>
    </div>
  );
}
