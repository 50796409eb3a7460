import { CopyButton } from '@/ui/copy-button';
import { Table } from '@/ui/list/table';
import { formatDate, formatInstant } from '@/lib/format';
import { gatewayName, kindName, rupees, statusName } from './customer-words';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const day = /^\d{4}-\d\d-\d\d$/;
/** Values that people copy elsewhere: our ids and the gateway's. */
const id = /^[\da-f]{8}-[\da-f-]{27}$|^\d{12,}$|^FP[\dA-Z]{12,}$/;

/** Members that hold a status. */
const stateful = new Set(['state', 'from', 'to']);
const sources: Record<string, string> = {
  webhook: 'The gateway told us',
  callback: 'The customer came back',
  poll: 'We asked the gateway',
  staff: 'Staff had it asked',
};

const labels: Record<string, string> = {
  amount_paise: 'Amount',
  captured_paise: 'Came',
  missing_paise: 'Missing',
  too_much_paise: 'Too much',
  gateway_payment_id: 'The gateway’s payment id',
  bank_reference: 'Bank reference',
  transaction_id: 'Transaction',
  checks: 'Times asked',
  next_check_at: 'Asked next',
  external_id: 'The gateway’s id',
  applied_at: 'Taken over',
  fields: 'As it came',
  finalized_at: 'Ended',
  scheduled_at: 'Planned for',
  attempt: 'Attempts',
  max_attempts: 'Attempts at most',
  paid_with: 'Paid by',
  sha256: 'Fingerprint of the file (SHA-256)',
  ip: 'IP address',
  found_txt: 'TXT records found',
  found_ips: 'Addresses found',
  previous_hash: 'Hash of the record before',
  effective_on: 'From',
  renew_on: 'Renews on',
  rendered_at: 'PDF made',
  size_bytes: 'Size in bytes',
};

function label(name: string): string {
  if (labels[name]) return labels[name];
  const words = name.replace(/_paise$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a text that holds JSON, as the before and after values in the audit trail do. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function plain(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') return name.endsWith('_paise') ? rupees(value) : String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && stateful.has(name)) return statusName(value);
  if (typeof value === 'string' && name === 'gateway') return gatewayName(value);
  if (typeof value === 'string')
    return instant.test(value) ? formatInstant(value) : day.test(value) ? formatDate(value) : value;
  return JSON.stringify(value);
}

/** One gateway event: a summary line that expands to the full original payload. */
function GatewayEvent({
  event: { received_at: at, source, kind, status, ...rest },
}: {
  event: Record<string, unknown>;
}) {
  return (
    <details className="entry-event">
      <summary>
        {plain('at', at)} · {sources[String(source)] ?? plain('source', source)}, {kindName(String(kind)).toLowerCase()}
        : <strong>{plain('status', status)}</strong>
      </summary>
      <Details values={rest} />
    </details>
  );
}

/** The lines of a journal entry as a table: debits and credits by account. */
export function JournalLines({ lines }: { lines: Record<string, unknown>[] }) {
  const amount = (value: unknown) => (value ? plain('amount_paise', value) : '–');
  return (
    <Table
      className="entry-lines"
      caption="Lines"
      rows={lines}
      rowKey={({ account, debit_paise: debit, credit_paise: credit }) => [account, debit, credit].map(String).join(' ')}
      columns={[
        {
          label: 'Account',
          cell: ({ account }) => label(String(account)).replace(/[cis]?gst/i, (tax) => tax.toUpperCase()),
        },
        { label: 'Debit', cell: ({ debit_paise: debit }) => amount(debit) },
        { label: 'Credit', cell: ({ credit_paise: credit }) => amount(credit) },
      ]}
    />
  );
}

/** All details of an entry as names and values; data from outside keeps its original names. */
export function Details({ values, raw = false }: { values: Record<string, unknown>; raw?: boolean }) {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  if (entries.length === 0) return <p className="console-hint">Nothing more is known.</p>;
  return (
    <dl className={raw ? 'entry-details entry-raw' : 'entry-details'}>
      {entries.map(([name, given]) => {
        const value = opened(given);
        return (
          <div key={name}>
            <dt>{raw ? name : label(name)}</dt>
            <dd>
              {isRecord(value) ? (
                <Details values={value} raw={raw || name === 'fields' || name === 'arguments'} />
              ) : name === 'lines' && Array.isArray(value) && value.every(isRecord) ? (
                <JournalLines lines={value} />
              ) : Array.isArray(value) && value.some(isRecord) ? (
                <ol>
                  {value.map((one, index) => (
                    // The list is a stored record, so its order never changes.
                    <li key={index}>
                      {name === 'gateway_events' && isRecord(one) ? (
                        <GatewayEvent event={one} />
                      ) : isRecord(one) ? (
                        <Details values={one} raw={raw} />
                      ) : (
                        plain(name, one)
                      )}
                    </li>
                  ))}
                </ol>
              ) : (
                <>
                  {plain(name, Array.isArray(value) ? value.join(', ') : value)}
                  {typeof value === 'string' && id.test(value) && (
                    <CopyButton value={value} what={label(name).toLowerCase()} />
                  )}
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
