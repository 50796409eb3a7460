import { formatInstant } from '@/lib/format';
import { rupees } from './customer-words';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function label(name: string): string {
  const words = name.replace(/_paise$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that holds JSON, as the audit trail keeps what was before and after, is shown as what it holds. */
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
  if (typeof value === 'string') return instant.test(value) ? formatInstant(value) : value;
  return JSON.stringify(value);
}

/** What the gateway said at one time: a line, and opened all of it as it came. */
function GatewayEvent({ event: { received_at: at, source, kind, status, ...rest } }: { event: Record<string, unknown> }) {
  return (
    <details className="entry-event">
      <summary>
        {plain('at', at)} · {plain('source', source)}, {plain('kind', kind)}: <strong>{plain('status', status)}</strong>
      </summary>
      <Details values={rest} />
    </details>
  );
}

/** Everything that is known of an entry, name by value; what came from outside keeps its own names. */
export function Details({ values, raw = false }: { values: Record<string, unknown>; raw?: boolean }) {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0));
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
              ) : Array.isArray(value) && value.some(isRecord) ? (
                <ol>
                  {value.map((one, index) => (
                    // The list is as it was kept and never changes its order.
                    <li key={index}>{name === 'gateway_events' && isRecord(one) ? <GatewayEvent event={one} /> : isRecord(one) ? <Details values={one} raw={raw} /> : plain(name, one)}</li>
                  ))}
                </ol>
              ) : (
                plain(name, Array.isArray(value) ? value.join(', ') : value)
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
