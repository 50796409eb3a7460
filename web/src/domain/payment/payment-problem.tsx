import { t } from '@lingui/core/macro';
import { explain } from '@/lib/api/errors';
import { Notice } from '@/ui/notice';
import { WayOn } from '@/ui/way-on';
import type { Payment } from './use-payment';

/** Why a payment could not be started, with the next step; renders nothing if there is no problem. */
export function PaymentProblem({ payment, back }: { payment: Payment; back: string }) {
  if (payment.priceChanged) {
    return (
      <Notice
        tone="warning"
        live
      >{t`The price has changed since you saw it. These are the new figures; no payment was started.`}</Notice>
    );
  }
  if (!payment.problem) return null;
  const { requestId, status, redirectTo } = payment.problem;
  return (
    <Notice tone="danger" live>
      {explain(payment.problem)}
      <div>
        <WayOn to={redirectTo} back={back} className="mt-2" />
      </div>
      {status >= 500 && requestId && <span className="d-block text-sm">{t`Request id: ${requestId}`}</span>}
    </Notice>
  );
}
