import { ButtonLink } from '@/ui/button';
import { EmptyState } from '@/ui/states';

export interface MissingProps {
  /** The name of what the address names: "customer". */
  what: string;
  /** The page to go on with, and its name. */
  to: string;
  label: string;
}

/** Says that the address names nothing, and where to go on. */
export function Missing({ what, to, label }: MissingProps) {
  return (
    <EmptyState alone title={`There is no such ${what}`} action={<ButtonLink to={to}>{label}</ButtonLink>}>
      The address may be incomplete. Look for the {what} in the list, or use the search.
    </EmptyState>
  );
}
