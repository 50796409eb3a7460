import { Badge } from '@/ui/notice';
import { formatDate } from '@/lib/format';
import type { Delivery, DeliveryOpened, DeliveryState } from '../api/deliveries';

export const deliveryStates: Record<DeliveryState, string> = {
  planned: 'Planned',
  waiting_for_customer: 'Waits for the customer',
  in_progress: 'In progress',
  delivered: 'Delivered',
  not_applicable: 'Does not apply',
  ended: 'Ended',
};

export const deliveredBy: Record<Delivery['delivered_by'], string> = {
  product: 'The product',
  connected: 'Connected system',
  staff: 'Staff',
};

const endings: Record<Exclude<Delivery['end_reason'], ''>, string> = {
  changed: 'no longer bought',
  expired: 'plan expired',
  refunded: 'refunded',
  erased: 'account erased',
};

/** The state of a delivery, and whether it is late. */
export function DeliveryStatus({ of: one }: { of: Delivery }) {
  const tone = one.late ? 'danger' : one.state === 'delivered' ? 'success' : undefined;
  return (
    <>
      <Badge {...(tone && { tone })}>{one.late ? 'Late' : deliveryStates[one.state]}</Badge>
      {one.end_reason && ` (${endings[one.end_reason]})`}
    </>
  );
}

export const promised = (one: Delivery) => formatDate(one.promised_on);

export const deliveryPath = (one: Delivery) => `/support/customers/${one.customer_id}/deliveries/${one.id}`;

/** One step of a delivery's history in a sentence. */
export function eventText({ kind, to, actor, staff, note }: DeliveryOpened['events'][number]): string {
  const who = actor === 'staff' ? staff : actor === 'system' ? note : 'The product';
  switch (kind) {
    case 'begun':
      return `Begun: ${deliveryStates[to]}`;
    case 'assigned':
      return note ? `${who} assigned it to ${note}` : `${who} assigned it to nobody`;
    case 'ended':
      return 'Ended';
    case 'late':
      return 'Became late';
    case 'reminded':
      return 'The product reminded the customer';
    case 'noted':
      return actor === 'system' ? `Report by ${note}` : `${who} added a note: ${note}`;
    case 'checked':
      return `${who} ticked ${note}`;
    case 'provided':
      return note ? `The customer sent what is needed: ${note}` : 'The customer sent what is needed, in files';
    case 'moved':
      return actor === 'staff' ? `${who}: ${deliveryStates[to]}. ${note}` : `${who}: ${deliveryStates[to]}`;
  }
}
