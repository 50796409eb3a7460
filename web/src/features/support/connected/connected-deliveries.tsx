import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { listOf, ListPage } from '@/ui/list/list-page';
import type { Column } from '@/ui/list/list-table';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import { deliveriesQuery, deliveryQuery, type Webhook, type WebhookDelivery } from '../api/connected';
import { statusName } from '../customers/customer-words';
import { useNow, When } from '../shared/when';
import { Offer } from '../shared/offer';

function DeliveryDetails({ delivery, onClose }: { delivery: string; onClose: () => void }) {
  const details = useQuery(deliveryQuery(delivery));
  return (
    <Modal open title="Delivery" onClose={onClose}>
      <Async query={details} what="the delivery" lines={6} />
      {details.data && (
        <div className="connected-delivery">
          <h3 id="delivery-sent">Sent</h3>
          {/* What scrolls must be reached by the keyboard. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} role="region" aria-labelledby="delivery-sent">
            {JSON.stringify(details.data.payload, undefined, 2)}
          </pre>
          <h3>Attempts</h3>
          {details.data.tries.length === 0 && <p>None yet.</p>}
          <ol reversed>
            {details.data.tries.map((one) => (
              <li key={one.number}>
                {one.status === null ? one.failure : `Answered ${one.status} in ${one.took_ms} ms`}
                {one.answer && (
                  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                  <pre tabIndex={0} role="region" aria-label={`Answer to attempt ${one.number}`}>
                    {one.answer}
                  </pre>
                )}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Modal>
  );
}

export interface ConnectedDeliveriesProps {
  endpoints: Webhook[];
  mayChange: boolean;
  onResend: (delivery: WebhookDelivery) => void;
}

const states = Object.fromEntries(
  (['waiting', 'delivered', 'failed', 'held'] as const).map((one) => [one, statusName(one)]),
) as Record<WebhookDelivery['state'], string>;

interface ColumnsOptions {
  systemOf: (delivery: WebhookDelivery) => Webhook | undefined;
  mayResend: (delivery: WebhookDelivery) => boolean;
  onResend: (delivery: WebhookDelivery) => void;
  onOpen: (id: string) => void;
  now: number;
}

const columnsOf = ({ systemOf, mayResend, onResend, onOpen, now }: ColumnsOptions): Column<WebhookDelivery>[] => [
  {
    label: 'Event',
    cell: (one) =>
      one.customer_id ? <Link to={`/support/customers/${one.customer_id}`}>{one.event}</Link> : one.event,
  },
  { label: 'System', cell: (one) => systemOf(one)?.description ?? 'Removed system' },
  { label: 'Happened', cell: (one) => <When at={one.at} now={now} /> },
  {
    label: 'State',
    cell: (one) => (
      <>
        {statusName(one.state)}
        {one.status !== null && ` (${one.status})`}
      </>
    ),
    filter: { name: 'state', options: states },
  },
  { label: 'Attempts', cell: (one) => one.attempts },
  {
    label: 'Actions',
    cell: (one) => (
      <>
        <Offer onClick={() => onOpen(one.id)} of={one.event}>
          Show
        </Offer>{' '}
        {mayResend(one) && (
          <Offer onClick={() => onResend(one)} of={one.event}>
            Send again
          </Offer>
        )}
      </>
    ),
  },
];

/** Webhook deliveries to connected systems, newest first. */
export function ConnectedDeliveries({ endpoints, mayChange, onResend }: ConnectedDeliveriesProps) {
  const [open, setOpen] = useState('');
  const { filter } = useListState({ state: oneOf(states) });
  const before = useSearchParams()[0].get('before') ?? undefined;
  const list = useQuery(deliveriesQuery(filter.state, before));
  const now = useNow();
  const systemOf = ({ endpoint_id: id }: WebhookDelivery) => endpoints.find((one) => one.id === id);
  const mayResend = (one: WebhookDelivery) =>
    mayChange && one.state !== 'waiting' && systemOf(one)?.state === 'enabled';
  return (
    <>
      <ListPage
        untitled
        title="Deliveries"
        query={listOf(list, ({ deliveries, more }) => ({
          data: deliveries,
          next: more ? deliveries.at(-1)?.id : undefined,
        }))}
        what="the deliveries"
        tellStale
        empty="Events for connected systems appear here with their attempts."
        wide
        rowKey={(one) => one.id}
        columns={columnsOf({ systemOf, mayResend, onResend, now, onOpen: setOpen })}
      />
      {open && <DeliveryDetails delivery={open} onClose={() => setOpen('')} />}
    </>
  );
}
