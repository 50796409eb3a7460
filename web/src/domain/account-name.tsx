import { t } from '@lingui/core/macro';
import { useSession } from '@/lib/session/session';

/** The account in which a member acts, by its name where it has one. */
export function AccountName() {
  const { accountName } = useSession();
  return accountName ? <b>{accountName}</b> : t`another account`;
}
