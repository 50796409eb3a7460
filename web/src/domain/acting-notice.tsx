import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { AccountName } from '@/domain/account-name';
import { Notice } from '@/ui/notice';
import { roleWords } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';

/** Says in whose account a member acts; nothing in the own one. */
export function ActingNotice() {
  const { role } = useSession();
  if (role === 'owner') return null;
  const as = roleWords[role].name.toLowerCase();
  return (
    <div className="container pt-3">
      <Notice tone="info">
        <Trans>
          You are in <AccountName /> as {as}. <Link to="/accounts">Switch account</Link>
        </Trans>
      </Notice>
    </div>
  );
}
