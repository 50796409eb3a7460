import { ButtonLink } from '@/ui/button';
import { EmptyState } from '@/ui/states';

export interface MissingProps {
  /** A noun, such as "customer". */
  what: string;
  /** The page to go on with, and its name. */
  to: string;
  label: string;
  /** The page has its own heading. */
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

/** Says that there is no customer with the id in the address. */
export function MissingCustomer() {
  return <Missing what="customer" to="/support/customers" label="Customers" />;
}
