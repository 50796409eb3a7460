import { ButtonLink } from '@/ui/button';
import { EmptyState } from '@/ui/states';

export interface MissingProps {
  /** The noun for what was looked for: "customer". */
  what: string;
  /** The page to go on with, and its name. */
  to: string;
  label: string;
  /** Shown on a page that has a heading of its own. */
  inside?: boolean;
}

/** Says that nothing has this address, and where to go on. */
export function Missing({ what, to, label, inside }: MissingProps) {
  return (
    <EmptyState alone={!inside} title={`There is no such ${what}`} action={<ButtonLink to={to}>{label}</ButtonLink>}>
      The address may be incomplete. Look for the {what} in the list, or use the search.
    </EmptyState>
  );
}
