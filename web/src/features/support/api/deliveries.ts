import { envelope } from '@/lib/api/client';
import type { components, operations } from '@/lib/api/schema.gen';
import { uploadBody, uploadName } from '@/lib/upload';
import { post, read, readPage } from './call';
import { client } from './support';

type Schemas = components['schemas'];
export type Delivery = Schemas['CustomerDelivery'];
export type NamedDelivery = Schemas['NamedDelivery'];
export type DeliveryState = Schemas['DeliveryState'];
export type DeliveryOpened = Schemas['CustomerDeliveryOpened'];
export type DeliveriesFilter = NonNullable<operations['listCustomerDeliveries']['parameters']['query']>;

export const deliveriesQuery = (filter: DeliveriesFilter) => readPage('/api/support/deliveries', filter);

export const deliveryQuery = (id: string, delivery: string) =>
  read('/api/support/customers/{id}/deliveries/{delivery}', { path: { id, delivery } });

const of = ({ customer_id: id, id: delivery }: Delivery) => ({ id, delivery });

export const changeDelivery = (delivery: Delivery, body: Omit<Schemas['DeliveryChange'], 'revision'>) =>
  post('/api/support/customers/{id}/deliveries/{delivery}', { ...body, revision: delivery.revision }, of(delivery));
export const assignDelivery = (delivery: Delivery, staffId: string) =>
  post(
    '/api/support/customers/{id}/deliveries/{delivery}/owner',
    { staff_id: staffId, revision: delivery.revision },
    of(delivery),
  );
export const checkDelivery = (delivery: Delivery, done: string[]) =>
  post('/api/support/customers/{id}/deliveries/{delivery}/steps', { done, revision: delivery.revision }, of(delivery));

export const addDeliveryFile = (delivery: Delivery, file: File) =>
  envelope(
    client.POST('/api/support/customers/{id}/deliveries/{delivery}/files', {
      params: { path: of(delivery), query: { name: uploadName(file) } },
      ...uploadBody(file),
    }),
  );
export const deliveryFile = ({ customer_id: customer, id }: Delivery, file: string) =>
  `/api/support/customers/${customer}/deliveries/${id}/files/${file}`;
