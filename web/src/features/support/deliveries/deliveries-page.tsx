import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import { type Column } from '@/ui/list/list-table';
import { anyText, oneOf, useListState } from '@/ui/list/use-list-state';
import { deliveriesQuery, type NamedDelivery } from '../api/deliveries';
import { CsvLink } from '../shared/csv-link';
import { deliveredBy, deliveryPath, deliveryStates, DeliveryStatus, promised } from './delivery-words';
import '../customers/support-customers.scss';

const filters = {
  open: 'To be delivered',
  late: 'Late',
  due: 'Due within three days',
  provided: 'Customer sent what is needed',
  unanswered: 'Customer did not answer',
  ...deliveryStates,
};
const owners = { me: 'Me', nobody: 'Nobody' };

const columns: Column<NamedDelivery>[] = [
  { label: 'What', cell: (one) => <Link to={deliveryPath(one)}>{one.name}</Link> },
  {
    label: 'Customer',
    cell: (one) => <Link to={`/support/customers/${one.customer_id}`}>{one.customer || 'Unnamed'}</Link>,
  },
  { label: 'State', cell: (one) => <DeliveryStatus of={one} />, filter: { name: 'state', options: filters } },
  { label: 'Promised', cell: promised },
  {
    label: 'Delivered by',
    cell: (one) => deliveredBy[one.delivered_by],
    filter: { name: 'delivered_by', options: deliveredBy },
  },
  {
    label: 'Responsible',
    cell: (one) => one.responsible || 'Nobody',
    filter: { name: 'owner', options: owners },
  },
];

/** What customers bought and are to get, by promised day. */
export function DeliveriesPage() {
  const { filter, page } = useListState({
    state: oneOf(filters),
    delivered_by: oneOf(deliveredBy),
    owner: oneOf(owners),
    search: anyText,
    customer: anyText,
  });
  const list = useQuery(deliveriesQuery({ page, ...filter }));
  return (
    <ListPage
      wide
      title="Deliveries"
      query={list}
      what="the deliveries"
      columns={columns}
      rowKey={(one) => one.id}
      search={{ label: 'Feature or add-on' }}
      acts={<CsvLink list="deliveries" filter={filter} />}
      empty="Each feature and add-on appears here when a customer pays for it."
    />
  );
}
