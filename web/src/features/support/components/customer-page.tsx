import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Badge } from '@/components/notice';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { customerQuery, type Customer } from '../api/customers';
import { useActs } from './customer-acts';
import { CustomerContacts } from './customer-contacts';
import { CustomerDeliveries } from './customer-deliveries';
import { CustomerFacts, CustomerHealth } from './customer-facts';
import { CustomerMandates } from './customer-mandates';
import { CustomerNotes } from './customer-notes';
import { Timeline } from './customer-timeline';
import { customerName, statusName, toneOf } from './customer-words';
import { Presence } from './presence';
import { usePageKeys } from './shortcuts';
import { TimeMachineLink } from './time-machine-link';
import { useRefreshWhenSettled } from './use-customer-refresh';
import './support-customers.scss';

function Loaded({ customer, now }: { customer: Customer; now: number }) {
  const { buttons, forEntry, dialog } = useActs(customer);
  usePageKeys(keys);
  useRefreshWhenSettled(customer);
  return (
    <>
      <div className="customer-head">
        <div className="customer-name">
          <h1>{customerName(customer)}</h1>
          <Badge tone={toneOf(customer.state)}>{statusName(customer.state)}</Badge>
        </div>
        {buttons}
      </div>
      <Presence page={`customer:${customer.id}`} />
      <CustomerHealth customer={customer} />
      <div className="customer-columns">
        <div className="customer-column">
          <CustomerFacts customer={customer} now={now} />
          <CustomerMandates mandates={customer.mandates} />
          {!customer.erased && <CustomerDeliveries id={customer.id} />}
          {!customer.erased && <TimeMachineLink id={customer.id} />}
        </div>
        <div className="customer-column">
          {!customer.erased && <CustomerNotes id={customer.id} now={now} />}
          {!customer.erased && <CustomerContacts id={customer.id} now={now} />}
          <Timeline id={customer.id} kinds={customer.kinds} acts={forEntry} />
        </div>
      </div>
      {dialog}
    </>
  );
}

const focusOn = (target: string) => () => document.querySelector<HTMLElement>(target)?.focus();
/** The page's shortcuts and their targets. */
const keys = {
  n: () => document.querySelector<HTMLElement>('.note-add')?.click(),
  h: focusOn('.customer-acts .btn'),
  t: focusOn('.timeline [data-entry]'),
};

/** Everything about one customer: identity, state, available actions, and one timeline. */
export function CustomerPage() {
  const { id = '' } = useParams();
  const customer = useQuery(customerQuery(id));
  usePageMeta({ title: customer.data ? customerName(customer.data) : 'Customer' });
  if (customer.data) return <Loaded key={id} customer={customer.data} now={customer.dataUpdatedAt} />;
  if (customer.error)
    return <ErrorState error={customer.error} onRetry={() => void customer.refetch()} what="the customer" />;
  return (
    <Loading what="the customer" onRetry={() => void customer.refetch()}>
      <Skeleton lines={8} />
    </Loading>
  );
}
