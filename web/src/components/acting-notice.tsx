import { Link } from 'react-router';
import { Notice } from '@/components/notice';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';

/** Says in whose account a member acts; nothing in the own one. */
export function ActingNotice() {
  const { role, accountName } = useSession();
  if (role === 'owner') return null;
  return (
    <div className="container pt-3">
      <Notice tone="info">
        You are in {accountName ? <b>{accountName}</b> : 'another account'} as {roleWords[role].name.toLowerCase()}.{' '}
        <Link to="/accounts">Switch account</Link>
      </Notice>
    </div>
  );
}
