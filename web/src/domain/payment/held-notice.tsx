import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';

export interface HeldNoticeProps {
  payments: components['schemas']['Dashboard']['held_payments'];
}

/** The page that shows the progress of a transaction. */
export function resultPath(transactionId: string): string {
  return `/checkout/result/success?transaction_id=${encodeURIComponent(transactionId)}`;
}

/** Warns not to pay again for each payment under review by staff, with a link to its page. */
export function HeldNotice({ payments }: HeldNoticeProps) {
  return payments.map(({ transaction_id: id, amount }) => (
    <Notice key={id} tone="warning">
      <div className="banner-row">
        <p>{t`We are looking at your payment of ${amount}, because another amount was due. Please do not pay again.`}</p>
        <ButtonLink to={resultPath(id)} variant="outline" size="sm">{t`See this payment`}</ButtonLink>
      </div>
    </Notice>
  ));
}
