import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components, operations } from '@/lib/api/schema.gen';
import { uploadBody, uploadName } from '@/lib/upload';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type Delivery = Schemas['CustomerDelivery'];
export type NamedDelivery = Schemas['NamedDelivery'];
export type DeliveryState = Schemas['DeliveryState'];
export type DeliveryOpened = Schemas['CustomerDeliveryOpened'];
export type DeliveriesFilter = NonNullable<operations['listCustomerDeliveries']['parameters']['query']>;

const deliveriesKey = [...supportKey, 'deliveries'] as const;

export const deliveriesQuery = (filter: DeliveriesFilter) =>
  queryOptions({
    queryKey: [...deliveriesKey, filter],
    queryFn: () => envelope(client.GET('/api/support/deliveries', { params: { query: filter } })),
  });

export const deliveryQuery = (customer: string, delivery: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'one', customer, delivery],
    queryFn: () =>
      data(
        client.GET('/api/support/customers/{id}/deliveries/{delivery}', {
          params: { path: { id: customer, delivery } },
        }),
      ),
  });

const of = ({ customer_id: id, id: delivery }: Delivery) => ({ path: { id, delivery } });

export const changeDelivery = (delivery: Delivery, body: Omit<Schemas['DeliveryChange'], 'revision'>) =>
  envelope(
    client.POST('/api/support/customers/{id}/deliveries/{delivery}', {
      params: of(delivery),
      body: { ...body, revision: delivery.revision },
    }),
  );

export const assignDelivery = (delivery: Delivery, staffId: string) =>
  envelope(
    client.POST('/api/support/customers/{id}/deliveries/{delivery}/owner', {
      params: of(delivery),
      body: { staff_id: staffId, revision: delivery.revision },
    }),
  );

const exported = ['state', 'delivered_by', 'owner', 'search', 'customer'] as const;

export const deliveriesExport = (filter: DeliveriesFilter) => {
  const query = new URLSearchParams(exported.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
  return `/api/support/deliveries/export${query.size > 0 ? `?${query.toString()}` : ''}`;
};

export const checkDelivery = (delivery: Delivery, done: string[]) =>
  envelope(
    client.POST('/api/support/customers/{id}/deliveries/{delivery}/steps', {
      params: of(delivery),
      body: { done, revision: delivery.revision },
    }),
  );

export const addDeliveryFile = (delivery: Delivery, file: File) =>
  envelope(
    client.POST('/api/support/customers/{id}/deliveries/{delivery}/files', {
      params: { ...of(delivery), query: { name: uploadName(file) } },
      ...uploadBody(file),
    }),
  );

export const deliveryFile = ({ customer_id: customer, id }: Delivery, file: string) =>
  `/api/support/customers/${customer}/deliveries/${id}/files/${file}`;
