import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import {
  assignDelivery,
  changeDelivery,
  deliveriesQuery,
  deliveryQuery,
  type Delivery,
  type DeliveryOpened,
} from '../api/deliveries';
import { useMay } from '../api/rights';
import { Facts } from '../shared/facts';
import { Checklist, DeliveryFiles, LateCredit, NoteDialog } from './delivery-parts';
import { deliveredBy, deliveryStates, DeliveryStatus, eventText, promised } from './delivery-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import { useChange } from '../api/use-change';
import { Missing } from '../shared/missing';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

interface ChangeProps {
  of: Delivery;
  onClose: () => void;
}

/** Asks for the new state of a delivery, with what it needs or its proof. */
function Change({ of: one, onClose }: ChangeProps) {
  return (
    <ReasonDialog
      title={`Change: ${one.name}`}
      effect={<p>The customer sees the state, what is needed and the proof. Only staff see the reason.</p>}
      label="Change"
      reasonLast
      values={{ state: one.next[0] ?? one.state, needs: one.needs, proof: one.proof || one.proof_link }}
      act={(reason, _, change) => changeDelivery(one, { ...change, reason })}
      onClose={onClose}
    >
      {({ state }) => (
        <>
          <NativeSelectField
            name="state"
            label="State"
            options={[...one.next, one.state].map((next) => [
              next,
              next === one.state ? `${deliveryStates[next]} (no change)` : deliveryStates[next],
            ])}
          />
          {state === 'delivered' ? (
            <TextField name="proof" label="Proof: a link or a sentence" maxLength={500} />
          ) : (
            <TextField name="needs" label="What we need from the customer" maxLength={300} />
          )}
        </>
      )}
    </ReasonDialog>
  );
}

function Responsible({ opened }: { opened: DeliveryOpened }) {
  const { delivery, colleagues } = opened;
  const assign = useChange((staffId: string) => assignDelivery(delivery, staffId), {
    onSuccess: ({ message }) => toast.success(message),
  });
  const { staff_id: current } = delivery;
  return (
    <div className="contact-owner">
      <NativeSelectField
        box="console-filter"
        label="Responsible"
        empty="Nobody"
        options={[
          ...(current && !colleagues.some(({ id }) => id === current)
            ? [[current, delivery.responsible] as const]
            : []),
          ...colleagues.map(({ id, name }) => [id, name] as const),
        ]}
        value={current ?? ''}
        disabled={assign.isPending}
        onChange={(id) => assign.mutate(id)}
        error={assign.error && explain(assign.error)}
      />
    </div>
  );
}

function DeliveryFacts({ of: one }: { of: Delivery }) {
  return (
    <div className="customer-facts delivery-facts">
      <section aria-label="The delivery">
        <Facts
          of={[
            ['State', <DeliveryStatus of={one} />],
            ['Promised for', promised(one)],
            ['Delivered by', deliveredBy[one.delivered_by]],
            one.needs && ['Needed from the customer', one.needs],
            (one.proof || one.proof_link) && ['Proof', one.proof || one.proof_link],
          ]}
        />
      </section>
    </div>
  );
}

/** One delivery: its facts, who is responsible, its history, and the change of its state. */
export function DeliveryPage() {
  usePageMeta({ title: 'Delivery' });
  const { id: customer = '', delivery = '' } = useParams();
  const helps = useMay('help');
  const money = useMay('money');
  const opened = useQuery(deliveryQuery(customer, delivery));
  const name = useQuery(deliveriesQuery({ page: 1, customer })).data?.data[0]?.customer;
  const [changing, setChanging] = useState(false);
  const [noting, setNoting] = useState(false);
  const open = helps && opened.data !== undefined && opened.data.delivery.state !== 'ended';
  return (
    <>
      <p>
        <Link to={`/support/customers/${customer}`}>{name || 'Back to the customer'}</Link>
      </p>
      <h1>{opened.data?.delivery.name ?? 'Delivery'}</h1>
      <Async
        query={opened}
        what="the delivery"
        lines={6}
        missing={<Missing what="delivery" to="/support/deliveries" label="Deliveries" />}
      />
      {opened.data && (
        <>
          <DeliveryFacts of={opened.data.delivery} />
          {open && (
            <>
              <Responsible opened={opened.data} />
              <div className="console-acts">
                <Button size="sm" onClick={() => setChanging(true)}>
                  Change the state
                </Button>
                <Offer onClick={() => setNoting(true)}>Add a note</Offer>
              </div>
            </>
          )}
          <Checklist opened={opened.data} acts={open} />
          <DeliveryFiles opened={opened.data} acts={open} />
          <LateCredit opened={opened.data} acts={money} />
          <h2>History</h2>
          <ul className="console-contacts">
            {opened.data.events.map((event) => (
              <li key={event.at + event.kind}>
                {eventText(event)}{' '}
                <span className="console-hint">
                  <When at={event.at} now={opened.dataUpdatedAt} />
                </span>
              </li>
            ))}
          </ul>
          {noting && <NoteDialog of={opened.data.delivery} onClose={() => setNoting(false)} />}
          {changing && <Change of={opened.data.delivery} onClose={() => setChanging(false)} />}
        </>
      )}
    </>
  );
}
