import { t } from '@lingui/core/macro';
import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useWithdrawErasure } from './api/withdraw-erasure';
import '@/domain/payment/payment.scss';

/** Explains why nothing can be bought while an erasure is scheduled, and offers to cancel it; otherwise empty. */
export function LeavingNotice() {
  const { eraseOn } = useSession();
  const { keep, pending, error } = useWithdrawErasure();
  if (!eraseOn) return null;
  return (
    <>
      <Notice tone="warning">
        <div className="banner-row">
          <p>{t`Your account will be erased on ${formatDate(eraseOn)}. Until then you can use what you have paid for, but you cannot buy or renew anything.`}</p>
          <Button size="sm" pending={pending} onClick={keep}>{t`Keep my account`}</Button>
        </div>
      </Notice>
      {error && (
        <Notice tone="danger" live>
          {explain(error)}
        </Notice>
      )}
    </>
  );
}
