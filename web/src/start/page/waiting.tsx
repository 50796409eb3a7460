import { t } from '@lingui/core/macro';
import { LogoMark } from '@/ui/logo';

/** What the shell of a screen behind the sign-in shows until its scripts are there. */
export function Waiting() {
  return (
    <div className="app-waiting" role="status">
      <LogoMark />
      <p>{t`Loading…`}</p>
    </div>
  );
}

/** Whether that is all there is in the root: nothing that React could take over. */
export const isWaiting = (root: Element): boolean => root.firstElementChild?.classList.contains('app-waiting') === true;
