import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { Badge } from '@/ui/notice';
import { Async } from '@/ui/states';
import { formatDate, formatMobile } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { customerQuery, recordsQuery, type Customer } from '../api/customers';
import { useActs } from './customer-acts';
import { CustomerContacts } from './customer-contacts';
import { CustomerDeliveries } from './customer-deliveries';
import { CustomerFacts, CustomerHealth } from './customer-facts';
import { CustomerMandates } from '../money/customer-mandates';
import { CustomerNotes } from './customer-notes';
import { CustomerRecords } from './customer-records';
import { Timeline } from './customer-timeline';
import { ago, customerName, statusName, toneOf } from './customer-words';
import { count } from '../shared/count';
import { remember, usePageActs } from '../shell/palette';
import { Presence } from '../shell/presence';
import { usePageKeys } from '../shell/shortcuts';
import { TimeMachineLink } from '../clock/time-machine-link';
import { MissingCustomer } from '../shared/missing';
import { Facts } from '../shared/facts';
import { useRefreshWhenSettled } from './use-customer-refresh';
import { useWaits, type Waits } from './use-waits';
import './support-customers.scss';

/** The plan, the next bill, the last payment and what waits, in one line of facts. */
function Summary({ customer: c, waits, now }: { customer: Customer; waits: Waits; now: number }) {
  const bill = c.erase_on ? null : c.next_bill;
  const paid = c.last_payment;
  const waiting = c.open_requests.filter(({ state }) => state === 'waiting').length;
  const all: [number, one: string, many: string, to: string][] = [
    [waiting, 'approval', 'approvals', '/support/approvals?state=waiting'],
    [waits.requests, 'contact request', 'contact requests', `/support/contacts?customer=${c.id}&state=open`],
    [waits.open, 'delivery', 'deliveries', `/support/deliveries?customer=${c.id}&state=open`],
    [c.failed_jobs, 'failed job', 'failed jobs', `/support/jobs?customer=${c.id}`],
  ];
  const links = all.filter(([number]) => number > 0).map(([number, one, many, to]) => [count(number, one, many), to]);
  return (
    <Facts
      className="customer-summary"
      of={[
        ['Plan', c.plan ? `${c.plan}, ${c.plan_type}` : 'None'],
        [
          c.state === 'grace' ? 'To be paid by' : 'Next bill',
          bill ? `${bill.amount}, ${formatDate(c.state === 'grace' ? bill.pay_by : bill.on)}` : 'None',
        ],
        [
          'Last payment',
          paid ? (
            <>
              <Link to={`/support/payments/${paid.transaction_id}`}>
                {paid.amount} {statusName(paid.state)}
              </Link>{' '}
              <span className="console-hint">{ago(paid.at, now)}</span>
            </>
          ) : (
            'None'
          ),
        ],
        [
          'Waits',
          <>
            {links.length === 0 && waits.known && 'Nothing'}
            {links.map(([label = '', to = ''], index) => (
              <Fragment key={to}>
                {index > 0 && ', '}
                <Link to={to}>{label}</Link>
              </Fragment>
            ))}
          </>,
        ],
      ]}
    />
  );
}

const writeNote = () => document.querySelector<HTMLElement>('.note-add')?.click();

function Loaded({ customer, now }: { customer: Customer; now: number }) {
  const { buttons, list, forEntry, send, dialog } = useActs(customer);
  const records = useQuery({ ...recordsQuery(customer.id), enabled: send !== undefined });
  const documents = (records.data?.entries ?? []).filter(({ id }) => id.startsWith('invoice.'));
  const name = customerName(customer);
  const waits = useWaits(customer, now);
  usePageKeys(keys);
  usePageActs([
    ...list,
    ...(customer.erased ? [] : [{ label: 'Write a note', words: 'comment remember', run: writeNote }]),
    ...documents.slice(0, 5).map(({ reference, details }) => ({
      label: `Send ${reference} by SMS`,
      words: 'resend invoice document again',
      run: () => send?.(String(details.invoice_id), reference),
    })),
  ]);
  useRefreshWhenSettled(customer);
  useEffect(() => {
    remember({ to: `/support/customers/${customer.id}`, label: name, detail: 'Customer' });
  }, [customer.id, name]);
  return (
    <>
      <div className="customer-top">
        <div className="customer-head">
          <div className="customer-name">
            <h1>{name}</h1>
            <Badge tone={toneOf(customer.state)}>{statusName(customer.state)}</Badge>
            {!customer.erased && (
              <span className="customer-person">
                {customer.name && customer.name !== name && `${customer.name} · `}
                {formatMobile(customer.mobile)}
              </span>
            )}
          </div>
          {buttons}
        </div>
        <Summary customer={customer} waits={waits} now={now} />
      </div>
      <Presence page={`customer:${customer.id}`} />
      <CustomerHealth customer={customer} waits={waits} />
      <div className="customer-columns">
        <div className="customer-column">
          <CustomerRecords id={customer.id} acts={forEntry} />
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
  n: writeNote,
  h: focusOn('.customer-acts button'),
  t: focusOn('.timeline [data-entry]'),
};

/** Everything about one customer: identity, state, available actions, and one timeline. */
export function CustomerPage() {
  const { id = '' } = useParams();
  const customer = useQuery(customerQuery(id));
  usePageMeta({ title: customer.data ? customerName(customer.data) : 'Customer' });
  return (
    <Async query={customer} what="the customer" lines={8} missing={<MissingCustomer />}>
      {(data) => <Loaded key={id} customer={data} now={customer.dataUpdatedAt} />}
    </Async>
  );
}
