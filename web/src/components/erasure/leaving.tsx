import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { Button } from '../button';
import { Notice } from '../notice';
import { useWithdrawErasure } from './api/withdraw-erasure';
import '@/components/payment/payment.scss';

/** Says why nothing can be bought while the account is to be erased, and keeps it; nothing for everybody else. */
export function LeavingNotice() {
  const { eraseOn } = useSession();
  const withdraw = useWithdrawErasure();
  if (!eraseOn) return null;
  const handleKeep = () => withdraw.mutate(undefined, { onSuccess: ({ message }) => toast.success(message) });
  return (
    <>
      <Notice tone="warning">
        <div className="banner-row">
          <p>
            Your account is erased on {formatDate(eraseOn)}. Until then you can use what is paid, but buy and renew
            nothing.
          </p>
          <Button size="sm" pending={withdraw.isPending} onClick={handleKeep}>
            Keep my account
          </Button>
        </div>
      </Notice>
      {withdraw.isError && (
        <Notice tone="danger" live>
          {explain(withdraw.error)}
        </Notice>
      )}
    </>
  );
}
