import { t } from '@lingui/core/macro';
import { redirectPath, withReturn } from '@/lib/session/redirect';
import { ButtonLink } from './button';

/** The button text for a screen, by the beginning of its path; the first match counts. */
const names: readonly (readonly [start: string, name: string])[] = [
  ['/pricing', t`See the plans`],
  ['/store-details/address', t`Give your business address`],
  ['/store-details', t`Set up your store`],
  ['/account/security', t`Keep my account`],
  ['/checkout/result/', t`See this payment`],
  ['/dashboard', t`Open your dashboard`],
];

export interface WayOnProps {
  /** The `redirect_to` of an error; renders nothing if it is empty or not a path of this site. */
  to: string | undefined;
  /** The URL that leads back to the refused action once the business address is entered. */
  back?: string;
  className?: string;
}

/** The button to the screen that an error's `redirect_to` names. */
export function WayOn({ to, back, className }: WayOnProps) {
  const path = redirectPath(to);
  if (!path) return null;
  const name = names.find(([start]) => path.startsWith(start))?.[1] ?? t`Continue`;
  return (
    <ButtonLink
      className={className}
      size="sm"
      to={path === '/store-details/address' && back ? withReturn(path, back) : path}
    >
      {name}
    </ButtonLink>
  );
}
