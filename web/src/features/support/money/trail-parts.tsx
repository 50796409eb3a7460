import { Badge } from '@/ui/notice';
import { ListTable } from '@/ui/list/list-table';
import { formatDate, formatLastDay } from '@/lib/format';
import type { Trail } from '../api/help';
import { Details, JournalLines } from '../customers/customer-details';
import { rupees, statusName, toneOf } from '../customers/customer-words';
import { DisputeClose } from './dispute-close';
import { InputTax } from '../books/input-tax';
import { OpenDocument } from './open-document';
import { requestKinds } from '../customers/request-words';
import { endOf } from './trail-captures';
import { When } from '../shared/when';

const sources = {
  webhook: 'The gateway told us',
  callback: 'The customer came back',
  poll: 'We asked the gateway',
  staff: 'Staff had it asked',
} as const;
const notices = { payment: 'payment', refund: 'refund', dispute: 'dispute' } as const;
const documents = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt_voucher: 'Receipt voucher',
  refund_voucher: 'Refund voucher',
} as const;
const reasons = {
  surplus: 'A surplus',
  staff: 'Staff asked for it',
  gateway: 'Made at the gateway',
  dispute: 'A lost dispute',
} as const;
interface PartProps<T> {
  of: T;
  /** The current time, in milliseconds. */
  now: number;
}

export function Bought({ order, paid }: { order: Trail['order']; paid: number }) {
  return (
    <>
      <p>
        {order.plan}, {order.plan_type}. {rupees(order.total_paise)} with GST
        {order.credit_notes_paise > 0 &&
          `, of which credit notes pay ${rupees(order.credit_notes_paise)}; ${rupees(paid)} was to be paid`}
        .
      </p>
      <ListTable
        caption="Lines of the order"
        rows={order.lines}
        rowKey={(line) => `${line.label} ${line.from}`}
        columns={[
          {
            label: 'What',
            cell: (line) => (
              <>
                {line.label}
                {line.quantity > 1 && ` × ${line.quantity}`}
              </>
            ),
          },
          { label: 'Price', cell: (line) => rupees(line.amount_paise), numeric: true },
          { label: 'Discount', cell: (line) => (line.discount_paise ? rupees(line.discount_paise) : '–') },
          {
            label: 'Term',
            cell: (line) => (
              <>
                {formatDate(line.from)} to {formatLastDay(line.to)}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

export function Events({ of, now }: PartProps<Trail['events']>) {
  return (
    <ul className="trail-list">
      {of.map((event) => (
        <li key={event.id}>
          <p>
            {event.signed ? sources[event.source] : 'A notice that nobody signed'}: {notices[event.kind]}{' '}
            <strong>{statusName(event.status)}</strong>
            {event.amount_paise > 0 && `, ${rupees(event.amount_paise)}`}
            {event.kind === 'payment' && event.external_id && `, capture ${endOf(event.external_id)}`}{' '}
            <Badge tone={event.signed ? 'success' : 'warning'}>{event.signed ? 'signed' : 'unsigned'}</Badge>
          </p>
          <p className="console-hint">
            <When at={event.at} now={now} />
          </p>
          <details className="entry-event">
            <summary>As it came</summary>
            <Details values={{ ...(event.external_id && { id: event.external_id }), ...event.fields }} raw />
          </details>
        </li>
      ))}
    </ul>
  );
}

export function Documents({ of, payment, now }: PartProps<Trail['documents']> & { payment: Trail['payment'] }) {
  return (
    <>
      <ListTable
        caption="Documents of the payment"
        rows={of}
        rowKey={(one) => one.id}
        columns={[
          { label: 'Number', cell: (one) => one.number },
          { label: 'Kind', cell: (one) => documents[one.kind] },
          { label: 'Total', cell: (one) => rupees(one.total_paise), numeric: true },
          { label: 'Issued', cell: (one) => <When at={one.issued_at} now={now} /> },
          {
            label: 'File',
            cell: (one) => <OpenDocument customer={payment.customer_id} invoice={one.id} number={one.number} />,
          },
        ]}
      />
      {of
        .filter(({ input_tax: tax }) => tax)
        .map((one) => (
          <section key={one.id} aria-label={`Input tax credit of ${one.number}`}>
            <h3>{one.number}</h3>
            <InputTax note={one} payment={payment} now={now} />
          </section>
        ))}
    </>
  );
}

function wayOf({ channel, reason, bank_reference: utr }: Trail['refunds'][number]): string {
  if (reason === 'dispute') return 'taken back by the bank';
  return channel === 'bank' ? `by bank transfer, UTR ${utr}` : 'through the gateway';
}

/** `many`: the payment has several captures, so each refund names its own. */
export function Refunds({
  of,
  many,
  released,
  now,
}: PartProps<Trail['refunds']> & { many: boolean; released: boolean }) {
  return (
    <ul className="trail-list">
      {of.map((one) => (
        <li key={one.id}>
          <p>
            <strong>{rupees(one.amount_paise)}</strong> {wayOf(one)}
            {many && ` of capture ${endOf(one.gateway_payment_id)}`}{' '}
            <Badge tone={toneOf(one.state)}>{statusName(one.state)}</Badge>
          </p>
          <p>
            {released && one.reason === 'surplus' ? 'A wrong amount' : reasons[one.reason]}
            {one.note && `: ${one.note}`}
            {one.gateway_refund_id && ` · at the gateway ${one.gateway_refund_id}`}
          </p>
          {one.failure && <p className="console-error">{one.failure}</p>}
          <p className="console-hint">
            <When at={one.created_at} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export function Disputes({
  of,
  requests: asked,
  payment,
  now,
}: PartProps<Trail['disputes']> & { requests: Trail['requests']; payment: Trail['payment'] }) {
  return (
    <ul className="trail-list">
      {of.map((one) => (
        <li key={one.id}>
          <p>
            <strong>{one.amount_paise > 0 ? rupees(one.amount_paise) : 'Amount not told'}</strong> ·{' '}
            {one.gateway_dispute_id} <Badge tone={one.state === 'open' ? 'danger' : undefined}>{one.state}</Badge>{' '}
            {!one.confirmed && <Badge tone="warning">unconfirmed</Badge>}
          </p>
          {!one.confirmed && <p>Only a notice that nobody signed tells of it. Check it at the gateway.</p>}
          <p className="console-hint">
            Opened <When at={one.opened_at} now={now} />
            {one.decided_at && (
              <>
                , decided <When at={one.decided_at} now={now} />
              </>
            )}
          </p>
          <DisputeClose
            dispute={one}
            request={asked.find(
              ({ dispute_id: id, state }) =>
                id === one.gateway_dispute_id && (state === 'waiting' || state === 'approved'),
            )}
            payment={payment}
          />
        </li>
      ))}
    </ul>
  );
}

export function Requests({ of, now }: PartProps<Trail['requests']>) {
  return (
    <ul className="trail-list">
      {of.map((one) => (
        <li key={one.id}>
          <p>
            <strong>{rupees(one.amount_paise)}</strong> · {requestKinds[one.kind]}{' '}
            <Badge tone={toneOf(one.state)}>
              {one.state === 'waiting' ? 'waits for a second admin' : statusName(one.state)}
            </Badge>
          </p>
          <p>
            {one.requested_by}: {one.reason}
            {one.decided_by && ` · decided by ${one.decided_by}`}
          </p>
          {one.failure && <p className="console-error">{one.failure}</p>}
          <p className="console-hint">
            <When at={one.requested_at} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export function Journals({ of, now }: PartProps<Trail['journals']>) {
  return (
    <ul className="trail-list">
      {of.map((one) => (
        <li key={one.id}>
          <p>
            <strong>{one.description}</strong> · {one.kind.replaceAll('_', ' ')}
          </p>
          <JournalLines lines={one.lines.map((line) => ({ ...line }))} />
          <p className="console-hint">
            <When at={one.posted_at} now={now} />
            {one.happened_at && (
              <>
                , because the books were locked when it was learned of. It happened{' '}
                <When at={one.happened_at} now={now} />.
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
