import { WithData } from '@/components/with-data';
import { ProfileMenu } from '@/features/auth/components/profile-menu';
import { SessionCheck } from './session-check';

/** What the header shows of an account, with the check that the session still lives. Not loaded for visitors. */
export function SignedInParts() {
  return (
    <WithData>
      <SessionCheck />
      <ProfileMenu />
    </WithData>
  );
}
