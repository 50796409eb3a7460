import { StatusText } from '@/ui/notice';
import { formatInstant } from '@/lib/format';
import { Facts } from '../shared/facts';
import type { Webhook, WebhookAct } from '../api/connected';
import { Offer } from '../shared/offer';

export type EndpointChoice = WebhookAct | 'rotate' | 'change' | 'resend';

export interface ConnectedEndpointsProps {
  endpoints: Webhook[];
  /** Only admins may change anything. */
  mayChange: boolean;
  onChoose: (endpoint: Webhook, choice: EndpointChoice) => void;
}

const why = {
  '': '',
  staff: 'Disabled by staff',
  gone: 'Disabled: it answered that it is gone',
  failing: 'Disabled: every delivery failed for five days',
};

function Standing({ endpoint }: { endpoint: Webhook }) {
  if (endpoint.state === 'disabled') return <StatusText tone="danger">{why[endpoint.disabled_for]}</StatusText>;
  if (endpoint.failing_since)
    return <StatusText tone="warning">Fails since {formatInstant(endpoint.failing_since)}</StatusText>;
  return <StatusText tone="success">Enabled</StatusText>;
}

const words: Record<EndpointChoice, string> = {
  test: 'Send a test event',
  change: 'Change',
  rotate: 'Change the secret',
  enable: 'Enable',
  disable: 'Disable',
  resend: 'Send again what it missed',
  remove: 'Remove',
};

/** What may be done with a system as it is. */
export function choicesOf(endpoint: Webhook): EndpointChoice[] {
  if (endpoint.state === 'disabled') return ['enable', 'change', 'rotate', 'remove'];
  return ['test', ...(endpoint.undelivered > 0 ? (['resend'] as const) : []), 'change', 'rotate', 'disable', 'remove'];
}

/** One card per connected system: its URL, its health, and its missed deliveries. */
export function ConnectedEndpoints({ endpoints, mayChange, onChoose }: ConnectedEndpointsProps) {
  if (endpoints.length === 0) return <p>No system is connected: no events are sent.</p>;
  return (
    <ul className="queues">
      {endpoints.map((endpoint) => (
        <li key={endpoint.id} aria-label={endpoint.description}>
          <div className="queue-head">
            <h2>{endpoint.description}</h2>
            <Standing endpoint={endpoint} />
          </div>
          <Facts
            of={[
              ['Address', endpoint.url, { className: 'connected-line' }],
              ['Told of', endpoint.events.join(', ') || 'Everything', { className: 'connected-line' }],
              ['On the way', endpoint.waiting.toLocaleString('en-IN')],
              ['Not delivered', endpoint.undelivered.toLocaleString('en-IN')],
            ]}
          />
          {mayChange && (
            <div className="connected-acts">
              {choicesOf(endpoint).map((choice) => (
                <Offer key={choice} onClick={() => onChoose(endpoint, choice)} of={endpoint.description}>
                  {words[choice]}
                </Offer>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
