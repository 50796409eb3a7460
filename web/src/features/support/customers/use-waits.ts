import { useQuery } from '@tanstack/react-query';
import { contactsQuery } from '../api/contacts';
import type { Customer } from '../api/customers';
import { deliveriesQuery } from '../api/deliveries';
import { dueOf } from '../contacts/contact-words';

export interface Waits {
  /** False while a list is loading, or if it cannot be loaded: the page then says of nothing that it is sound. */
  known: boolean;
  open: number;
  late: number;
  requests: number;
  overdue: number;
}

/** What waits of a customer's deliveries and contact requests, from the lists that the customer's page shows. */
export function useWaits({ id, erased }: Customer, now: number): Waits {
  const wanted = { enabled: !erased };
  const deliveries = useQuery({ ...deliveriesQuery({ page: 1, customer: id, state: 'open' }), ...wanted }).data;
  const contacts = useQuery({ ...contactsQuery({ page: 1, customer: id }), ...wanted }).data;
  const requests = contacts?.data.filter(({ state }) => state === 'open') ?? [];
  return {
    known: Boolean(erased) || (deliveries !== undefined && contacts !== undefined),
    open: deliveries?.total ?? 0,
    late: deliveries?.data.filter((one) => one.late).length ?? 0,
    requests: requests.length,
    overdue: requests.filter((one) => dueOf(one, now)?.late).length,
  };
}
