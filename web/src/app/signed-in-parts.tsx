import { LanguageKeeper } from '@/domain/language-keeper';
import { WithData } from '@/domain/with-data';
import { ProfileMenu } from '@/features/auth/components/profile-menu';
import { NotificationBell } from '@/features/notifications/components/notification-bell';
import { useSession } from '@/lib/session/session';
import { SessionCheck } from './session-check';

/** The account's part of the header, with the check that the session is still valid. Not loaded for visitors. */
export function SignedInParts() {
  const { role } = useSession();
  return (
    <WithData>
      <SessionCheck />
      {role === 'owner' && <LanguageKeeper />}
      {role === 'owner' && <NotificationBell />}
      <ProfileMenu />
    </WithData>
  );
}
