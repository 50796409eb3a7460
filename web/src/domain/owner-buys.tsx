import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';
import { AccountName } from './account-name';
import { Notice } from '@/ui/notice';

/** Whether plans may be offered: to visitors and owners, but not while the account is to be erased. */
export function useMayBuy(): boolean {
  const { role, eraseOn } = useSession();
  return role === 'owner' && !eraseOn;
}

/** Says to a member who may buy; nothing to anybody else. */
export function OwnerBuysNotice() {
  const { role } = useSession();
  if (role === 'owner') return null;
  const as = roleWords[role].name.toLowerCase();
  return (
    <Notice>
      <Trans>
        You are in <AccountName /> as {as}. Only the owner of that account chooses and pays for its plan.{' '}
        <Link to="/accounts">Switch account</Link> to buy for your own.
      </Trans>
    </Notice>
  );
}
