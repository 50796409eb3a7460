import { redirectPath, withReturn } from '@/lib/session/redirect';
import { ButtonLink } from './button';

/** What stands on the button to a screen, by how its address begins; the first that fits counts. */
const names: readonly (readonly [start: string, name: string])[] = [
  ['/pricing', 'See the plans'],
  ['/store-details/address', 'Give your business address'],
  ['/store-details', 'Set up your store'],
  ['/account/security', 'Keep my account'],
  ['/checkout/result/', 'See this payment'],
  ['/dashboard', 'Open your dashboard'],
];

export interface WayOnProps {
  /** The `redirect_to` of a refusal; nothing is shown where there is none, or none of this site. */
  to: string | undefined;
  /** The address that brings the person back to what was refused, once the address of the business is given. */
  back?: string;
  className?: string;
}

/** The button to where a refusal says that things go on. */
export function WayOn({ to, back, className }: WayOnProps) {
  const path = redirectPath(to);
  if (!path) return null;
  const name = names.find(([start]) => path.startsWith(start))?.[1] ?? 'Continue';
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
