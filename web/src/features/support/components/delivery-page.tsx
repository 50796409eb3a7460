import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Button } from '@/components/button';
import { QueryStates } from '@/components/states';
import { explain } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import {
  assignDelivery,
  changeDelivery,
  deliveriesKey,
  deliveryQuery,
  type Delivery,
  type DeliveryOpened,
  type DeliveryState,
} from '../api/deliveries';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { inPlace } from '../api/support';
import { Fact } from './customer-facts';
import { deliveredBy, deliveryStates, DeliveryStatus, eventText, promised } from './delivery-words';
import { ReasonDialog } from './reason-dialog';
import { When } from './when';
import './support-customers.scss';

interface ChangeProps {
  of: Delivery;
  onDone: (message: string) => void;
  onClose: () => void;
}

/** Asks for the new state of a delivery, with what it needs or its proof. */
function Change({ of: one, onDone, onClose }: ChangeProps) {
  const [state, setState] = useState<DeliveryState>(one.next[0] ?? one.state);
  const [needs, setNeeds] = useState(one.needs);
  const [proof, setProof] = useState(one.proof || one.proof_link);
  return (
    <ReasonDialog
      title={`Change: ${one.name}`}
      effect={<p>The customer sees the state, what is needed and the proof. Only staff see the reason.</p>}
      label="Change"
      reasonLast
      act={(reason) => changeDelivery(one, { state, needs, proof, reason })}
      onDone={({ message }) => onDone(message)}
      onClose={onClose}
    >
      <label htmlFor="delivery-state">State</label>
      <select
        id="delivery-state"
        className="input"
        value={state}
        onChange={(event) => setState(event.target.value as DeliveryState)}
      >
        {[...one.next, one.state].map((next) => (
          <option key={next} value={next}>
            {next === one.state ? `${deliveryStates[next]} (no change)` : deliveryStates[next]}
          </option>
        ))}
      </select>
      {state === 'delivered' ? (
        <>
          <label htmlFor="delivery-proof">Proof: a link or a sentence</label>
          <input
            id="delivery-proof"
            className="input"
            maxLength={500}
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        </>
      ) : (
        <>
          <label htmlFor="delivery-needs">What we need from the customer</label>
          <input
            id="delivery-needs"
            className="input"
            maxLength={300}
            value={needs}
            onChange={(event) => setNeeds(event.target.value)}
          />
        </>
      )}
    </ReasonDialog>
  );
}

function Responsible({ opened, onChanged }: { opened: DeliveryOpened; onChanged: () => void }) {
  const { delivery, colleagues } = opened;
  const assign = useMutation({
    ...inPlace,
    mutationFn: (staffId: string) => assignDelivery(delivery, staffId),
    onSuccess: ({ message }) => {
      toast.success(message);
      onChanged();
    },
  });
  const { staff_id: current } = delivery;
  return (
    <div className="contact-owner">
      <label htmlFor="delivery-owner">Responsible</label>
      <select
        id="delivery-owner"
        className="input"
        value={current ?? ''}
        disabled={assign.isPending}
        onChange={(event) => assign.mutate(event.target.value)}
      >
        <option value="">Nobody</option>
        {current && !colleagues.some(({ id }) => id === current) && (
          <option value={current}>{delivery.responsible}</option>
        )}
        {colleagues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {assign.error && (
        <p role="alert" className="console-error">
          {explain(assign.error)}
        </p>
      )}
    </div>
  );
}

function Facts({ of: one }: { of: Delivery }) {
  return (
    <div className="customer-facts delivery-facts">
      <section aria-label="The delivery">
        <dl>
          <Fact name="State">
            <DeliveryStatus of={one} />
          </Fact>
          <Fact name="Promised for">{promised(one)}</Fact>
          <Fact name="Delivered by">{deliveredBy[one.delivered_by]}</Fact>
          {one.needs && <Fact name="Needed from the customer">{one.needs}</Fact>}
          {(one.proof || one.proof_link) && <Fact name="Proof">{one.proof || one.proof_link}</Fact>}
        </dl>
      </section>
    </div>
  );
}

/** One delivery: its facts, who is responsible, its history, and the change of its state. */
export function DeliveryPage() {
  usePageMeta({ title: 'Delivery' });
  const { id: customer = '', delivery = '' } = useParams();
  const queries = useQueryClient();
  const me = useQuery(meQuery).data;
  const opened = useQuery(deliveryQuery(customer, delivery));
  const [changing, setChanging] = useState(false);
  const reload = () => void queries.invalidateQueries({ queryKey: deliveriesKey });
  const acts = me && may(me.role, 'help');
  return (
    <>
      <p>
        <Link to={`/support/customers/${customer}`}>Back to the customer</Link>
      </p>
      <h1>{opened.data?.delivery.name ?? 'Delivery'}</h1>
      <QueryStates query={opened} what="the delivery" lines={6} />
      {opened.data && (
        <>
          <Facts of={opened.data.delivery} />
          {acts && opened.data.delivery.state !== 'ended' && (
            <>
              <Responsible opened={opened.data} onChanged={reload} />
              <Button size="sm" onClick={() => setChanging(true)}>
                Change the state
              </Button>
            </>
          )}
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
          {changing && (
            <Change
              of={opened.data.delivery}
              onDone={(message) => {
                setChanging(false);
                toast.success(message);
                reload();
              }}
              onClose={() => setChanging(false)}
            />
          )}
        </>
      )}
    </>
  );
}
