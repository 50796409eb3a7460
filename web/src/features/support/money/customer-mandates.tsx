import { Link } from 'react-router';
import { ListTable, type Column } from '@/ui/list/list-table';
import { Badge } from '@/ui/notice';
import { formatDate, formatDay, formatInstant } from '@/lib/format';
import type { Customer } from '../api/customers';
import { Facts } from '../shared/facts';
import { gatewayName, toneOf } from '../customers/customer-words';

type Mandate = Customer['mandates'][number];
type Debit = Mandate['debits'][number];

const methods: Record<Mandate['method'], string> = { upi: 'UPI AutoPay', card: 'Card', enach: 'Bank account (eNACH)' };

const debitStates: Record<Debit['state'], string> = {
  planned: 'announced',
  noticed: 'bank told',
  asked: 'undecided',
  paid: 'paid',
  failed: 'failed',
  called_off: 'called off',
};

function stateOf({ state, held_at: held, stop_asked_at: stop, ended_at: ended }: Mandate): string {
  if (ended) return state;
  if (stop) return 'stopped, not confirmed';
  return held ? 'paused by the customer' : state;
}

/** The debit that is still to come, or undecided. */
const comingOf = ({ debits }: Mandate) => debits.find(({ state }) => ['planned', 'noticed', 'asked'].includes(state));

/** Whether the mandate or its newest debit is not as it should be. */
const needsLook = ({ state, held_at: held, stop_asked_at: stop, debits: [newest] }: Mandate) =>
  state !== 'active' || Boolean(held ?? stop) || ['failed', 'called_off', 'asked'].includes(newest?.state ?? '');

/** The moments of a debit that have come, each with its name. */
function momentsOf(debit: Debit): string[] {
  const moments: [string, string | null][] = [
    ['Bank told', debit.noticed_at],
    ['Asked for', debit.asked_at],
    ['Decided', debit.decided_at],
    ['Next step', debit.next_at],
  ];
  return moments.flatMap(([name, at]) => (at ? [`${name} ${formatInstant(at)}`] : []));
}

/** Why, as staff read it: the reason speaks to the customer. */
function whyOf({ why, told }: Debit): string {
  const reason = why?.replace(/^You /, 'The customer ').replace(/^Your /, 'The customer’s ');
  return [reason, told && `The gateway: ${told}`].filter(Boolean).join('. ') || '–';
}

const debitColumns: Column<Debit>[] = [
  { label: 'Renewal', cell: (debit) => formatDate(debit.renew_on) },
  { label: 'Attempt', cell: (debit) => debit.number, numeric: true },
  {
    label: 'Amount',
    cell: ({ payment_id: payment, amount }) =>
      payment ? <Link to={`/support/payments/${payment}`}>{amount}</Link> : amount,
    numeric: true,
  },
  {
    label: 'State',
    cell: ({ state }) => <Badge tone={toneOf(state === 'asked' ? 'pending' : state)}>{debitStates[state]}</Badge>,
  },
  { label: 'Why', cell: (debit) => whyOf(debit), long: true },
  {
    label: 'When',
    cell: (debit) => (
      <ul className="list-unstyled">
        <li>Debit from {formatInstant(debit.debit_at)}</li>
        {momentsOf(debit).map((moment) => (
          <li key={moment}>{moment}</li>
        ))}
      </ul>
    ),
    long: true,
  },
];

type Happened = Mandate['events'][number];

const kinds: Record<Happened['kind'], string> = {
  requested: 'Asked for',
  confirmed: 'Confirmed',
  limited: 'Limit lowered',
  refused: 'Bill not allowed',
  paused: 'Paused',
  resumed: 'Resumed',
  skipped: 'Debit skipped',
  unskipped: 'Skip undone',
  replaced: 'Replaced by another mandate',
  stopped: 'Stopped',
  ended: 'Ended',
  not_set_up: 'Not set up',
};

const actors: Record<Happened['by'], string> = {
  customer: 'the customer',
  bank: 'the bank or its app',
  system: 'the product',
};

function happenedText({ kind, by, amount, renew_on: renewOn }: Happened): string {
  const about = [amount, renewOn !== '-' && `renewal on ${formatDate(renewOn)}`].filter(Boolean).join(', ');
  if (kind === 'not_set_up') return kinds[kind];
  return `${kinds[kind]} by ${actors[by]}${about && ` (${about})`}`;
}

function Events({ events }: { events: readonly Happened[] }) {
  if (events.length === 0) return null;
  return (
    <details>
      <summary>What has happened to it</summary>
      <ul className="list-unstyled">
        {events.map((event, index) => (
          <li key={`${event.at}-${index}`}>
            {formatInstant(event.at)}: {happenedText(event)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function OneMandate({ mandate, open }: { mandate: Mandate; open: boolean }) {
  const { id, method, masked, gateway, gateway_id: theirs, cap, ends_on: ends, reason, debits } = mandate;
  const coming = comingOf(mandate);
  return (
    <details open={open}>
      <summary>
        {methods[method]} {masked} at {gatewayName(gateway)}:{' '}
        <Badge tone={toneOf(mandate.state)}>{stateOf(mandate)}</Badge>
      </summary>
      <Facts
        className="customer-mandate-facts"
        of={[
          ['At most per debit', cap],
          ['Next debit', coming ? `${coming.amount} from ${formatInstant(coming.debit_at)}` : 'None is planned'],
          ['Ends on', formatDate(ends)],
          reason && ['Why it ended', reason],
          mandate.stop_asked_at && ['Stopped by the customer', formatInstant(mandate.stop_asked_at)],
          mandate.ended_at && ['Ended', formatInstant(mandate.ended_at)],
          theirs && ['The gateway’s id', theirs, { copy: theirs }],
        ]}
      />
      <details>
        <summary>
          Agreed to on {formatDay(mandate.consented_at)}, version {mandate.consent_version}
        </summary>
        <p>{mandate.consent_text}</p>
      </details>
      <Events events={mandate.events} />
      <ListTable
        none={<p className="console-hint">Nothing was debited by it yet.</p>}
        wide
        caption={`Debits of mandate ${theirs ?? id}`}
        rows={debits}
        rowKey={(debit) => debit.id}
        columns={debitColumns}
      />
    </details>
  );
}

/** The customer's autopay mandates and their debits; renders nothing if the customer never had a mandate. */
export function CustomerMandates({ mandates }: { mandates: Customer['mandates'] }) {
  if (mandates.length === 0) return null;
  return (
    <section className="customer-mandates" aria-labelledby="customer-mandates">
      <h2 id="customer-mandates">Automatic renewal</h2>
      {mandates.map((mandate, index) => (
        <OneMandate key={mandate.id} mandate={mandate} open={index === 0 && needsLook(mandate)} />
      ))}
    </section>
  );
}
