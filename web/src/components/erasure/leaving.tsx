import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { Button } from '../button';
import { Notice } from '../notice';
import { useWithdrawErasure } from './api/withdraw-erasure';
import '@/components/payment/payment.scss';

/** Says why nothing can be bought while the account is to be erased, and keeps it; nothing for everybody else. */
export function LeavingNotice() {
  const { eraseOn } = useSession();
  const { keep, pending, error } = useWithdrawErasure();
  if (!eraseOn) return null;
  return (
    <>
      <Notice tone="warning">
        <div className="banner-row">
          <p>
            Your account is erased on {formatDate(eraseOn)}. Until then you can use what is paid, but buy and renew
            nothing.
          </p>
          <Button size="sm" pending={pending} onClick={keep}>
            Keep my account
          </Button>
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
