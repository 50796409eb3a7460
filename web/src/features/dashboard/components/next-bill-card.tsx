import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { debitSentence } from '@/domain/payment/debit-notice';
import { PreviewLines } from '@/domain/payment/preview-lines';
import { RenewButton } from '@/domain/payment/renew-button';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { Card } from './card';
import '@/domain/payment/payment.scss';
import { Async } from '@/ui/states';

type NextBill = components['schemas']['NextBill'];

function Bill({ bill }: { bill: NextBill }) {
  return (
    <>
      <p>
        <strong className="next-bill-total tabular">{bill.total}</strong>
        <span className="text-muted d-block">{t`for ${bill.plan_name} · ${bill.service_name}, on ${formatDate(bill.renew_on)}`}</span>
      </p>
      {bill.debit && <p className="text-sm">{debitSentence(bill.debit)}</p>}
      {bill.pay_by !== '-' && !bill.debit && (
        <p className="text-sm text-muted">{t`Pay by ${formatDate(bill.pay_by)} to keep everything.`}</p>
      )}
      {bill.scheduled_plan && <p className="text-sm">{t`Changes to ${bill.scheduled_plan} with this bill.`}</p>}
      {bill.dropped_add_ons.length > 0 && (
        <p className="text-sm">{t`Ends before it: ${bill.dropped_add_ons.join(', ')}.`}</p>
      )}
      <details>
        <summary>{t`See the breakdown`}</summary>
        <PreviewLines label={t`The next bill, line by line`} lines={bill.payment_details} />
      </details>
      <div className="form-actions">
        {bill.can_renew && !bill.debit && (
          <RenewButton subscriptionId={bill.subscription_id} back="/dashboard">{t`Renew now`}</RenewButton>
        )}
      </div>
    </>
  );
}

/** The next bill, exactly as it will be if nothing changes; hidden if the account is to be erased. */
export function NextBillCard() {
  const { eraseOn } = useSession();
  const bill = useQuery({ ...nextBillQuery, enabled: !eraseOn });
  if (eraseOn) {
    return (
      <Card title={t`Next bill`}>
        <p className="text-muted">{t`Nothing is billed: your account will be erased on ${formatDate(eraseOn)}.`}</p>
      </Card>
    );
  }
  return (
    <Card title={t`Next bill`}>
      <Async query={bill} what={t`your next bill`}>
        {(data) =>
          data ? (
            <Bill bill={data} />
          ) : (
            <p className="text-muted">{t`There is nothing to renew. Once you have chosen a plan, your exact next bill appears here.`}</p>
          )
        }
      </Async>
    </Card>
  );
}
