import { Link } from 'react-router';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';
import { Notice } from './notice';

/** Whether plans may be offered: to visitors and owners, but not while the account is to be erased. */
export function useMayBuy(): boolean {
  const { role, eraseOn } = useSession();
  return role === 'owner' && !eraseOn;
}

/** Says to a member who may buy; nothing to anybody else. */
export function OwnerBuysNotice() {
  const { role, accountName } = useSession();
  if (role === 'owner') return null;
  return (
    <Notice>
      You are in {accountName ? <b>{accountName}</b> : 'another account'} as {roleWords[role].name.toLowerCase()}. Only
      the owner of that account chooses and pays for its plan. <Link to="/accounts">Switch account</Link> to buy for
      your own.
    </Notice>
  );
}
