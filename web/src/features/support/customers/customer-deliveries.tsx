import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { deliveriesQuery } from '../api/deliveries';
import { deliveryPath, DeliveryStatus, promised } from '../deliveries/delivery-words';

/** What is still to be delivered to the customer; renders nothing if the list is empty. */
export function CustomerDeliveries({ id }: { id: string }) {
  const list = useQuery(deliveriesQuery({ page: 1, customer: id, state: 'open' })).data;
  if (!list || list.total === 0) return null;
  return (
    <section aria-labelledby="customer-deliveries">
      <h2 id="customer-deliveries">To be delivered</h2>
      <ul className="console-contacts">
        {list.data.map((one) => (
          <li key={one.id}>
            <Link to={deliveryPath(one)}>{one.name}</Link> <DeliveryStatus of={one} />{' '}
            <span className="console-hint">
              {promised(one)}
              {one.responsible && ` · ${one.responsible}`}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Link to={`/support/deliveries?customer=${id}`}>All deliveries</Link>
      </p>
    </section>
  );
}
