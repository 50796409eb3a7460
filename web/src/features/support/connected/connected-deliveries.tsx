import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { ListTable, type Column } from '@/ui/list/list-table';
import { deliveriesQuery, deliveryQuery, type Webhook, type WebhookDelivery } from '../api/connected';
import { statusName } from '../customers/customer-words';
import { useNow, When } from '../shared/when';

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
  },
  { label: 'Attempts', cell: (one) => one.attempts },
  {
    label: 'Actions',
    cell: (one) => (
      <>
        <Button size="sm" variant="outline" onClick={() => onOpen(one.id)}>
          Show<span className="visually-hidden"> {one.event}</span>
        </Button>{' '}
        {mayResend(one) && (
          <Button size="sm" variant="outline" onClick={() => onResend(one)}>
            Send again<span className="visually-hidden"> {one.event}</span>
          </Button>
        )}
      </>
    ),
  },
];

/** Webhook deliveries to connected systems, newest first. */
export function ConnectedDeliveries({ endpoints, mayChange, onResend }: ConnectedDeliveriesProps) {
  const [state, setState] = useState<'' | WebhookDelivery['state']>('');
  const [before, setBefore] = useState('');
  const [open, setOpen] = useState('');
  const list = useQuery(deliveriesQuery(state, before));
  const now = useNow();
  const systemOf = ({ endpoint_id: id }: WebhookDelivery) => endpoints.find((one) => one.id === id);
  const mayResend = (one: WebhookDelivery) =>
    mayChange && one.state !== 'waiting' && systemOf(one)?.state === 'enabled';
  return (
    <>
      <NativeSelectField
        label="State"
        empty="All"
        options={(['waiting', 'delivered', 'failed', 'held'] as const).map((one) => [one, statusName(one)])}
        value={state}
        onChange={(chosen) => {
          setState(chosen);
          setBefore('');
        }}
      />
      <Async query={list} what="the deliveries" lines={6} tellStale />
      {list.data && (
        <ListTable
          none={<p>There are none.</p>}
          wide
          caption="Deliveries"
          rows={list.data.deliveries}
          rowKey={(one) => one.id}
          columns={columnsOf({ systemOf, mayResend, onResend, now, onOpen: setOpen })}
        />
      )}
      <div className="connected-acts">
        {before && (
          <Button variant="outline" size="sm" onClick={() => setBefore('')}>
            Newest
          </Button>
        )}
        {list.data?.more && (
          <Button variant="outline" size="sm" onClick={() => setBefore(list.data.deliveries.at(-1)?.id ?? '')}>
            Older
          </Button>
        )}
      </div>
      {open && <DeliveryDetails delivery={open} onClose={() => setOpen('')} />}
    </>
  );
}
