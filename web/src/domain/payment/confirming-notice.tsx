import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { dashboardQuery } from './api/dashboard';
import { resultPath } from './held-notice';

type Confirming = components['schemas']['Dashboard']['confirming_payments'];

/** Milliseconds between two polls of a payment that is being confirmed. */
const LOOK_AGAIN_MS = 10_000;

const none: Confirming = [];

/** The payments that are being confirmed, polled until they are settled. With `asks` false, does not query and returns only cached ones. */
export function useConfirming(asks: boolean): Confirming {
  const { isAuthenticated } = useSession();
  const { data } = useQuery({
    ...dashboardQuery,
    enabled: isAuthenticated && asks,
    select: ({ confirming_payments: payments }) => payments,
    refetchInterval: ({ state }) => (state.data?.confirming_payments.length ? LOOK_AGAIN_MS : false),
  });
  return data ?? none;
}

/** Warns not to pay again for each payment that is being confirmed, with a link to its page. */
export function ConfirmingNotice({ payments }: { payments: Confirming }) {
  return payments.map(({ transaction_id: id, amount }) => (
    <Notice key={id}>
      <div className="banner-row">
        <p>{t`Your payment of ${amount} is being confirmed: we are waiting for your bank. Please do not pay again.`}</p>
        <ButtonLink to={resultPath(id)} variant="outline" size="sm">{t`See this payment`}</ButtonLink>
      </div>
    </Notice>
  ));
}

/** The same for a page that does not otherwise need the dashboard data. */
export function ConfirmingPayments() {
  return <ConfirmingNotice payments={useConfirming(true)} />;
}
