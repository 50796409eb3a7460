import { NativeSelectField } from '@/ui/form/native-select-field';
import {
  actOnWebhook,
  enableWebhook,
  resendDelivery,
  resendSince,
  rotateWebhook,
  type Webhook,
} from '../api/connected';
import type { EndpointChoice } from './connected-endpoints';
import { ReasonDialog } from '../shared/reason-dialog';
import type { Proof } from '../staff/secret-form';

const texts: Record<Exclude<EndpointChoice, 'change'>, [title: string, label: string, effect: string]> = {
  test: ['Send a test event', 'Send', 'The event webhook.test is sent there now. It reports nothing.'],
  rotate: ['Change the secret', 'Change', 'A new secret is shown once. The old one also signs for 24 hours.'],
  enable: ['Enable', 'Enable', 'It receives events from now on. Events that it missed are sent when you ask for them.'],
  disable: ['Disable', 'Disable', 'It receives no events. Events are kept for it for 90 days.'],
  resend: ['Send again what it missed', 'Send', 'Up to 1,000 events go there again, oldest first.'],
  remove: ['Remove', 'Remove', 'It never receives events again. This cannot be undone.'],
};

export interface ConnectedActProps {
  endpoint: Webhook;
  choice: Exclude<EndpointChoice, 'change'>;
  /** Called with a new secret, or with nothing. */
  onDone: (secret?: string) => void;
  onClose: () => void;
}

/** Asks for the reason of one act on a connected system, and performs it. */
export function ConnectedAct({ endpoint, choice, onDone, onClose }: ConnectedActProps) {
  const [title, label, effect] = texts[choice];
  const act = async (reason: string, proof: Proof, { since }: { since: string }) => {
    if (choice === 'rotate') return (await rotateWebhook(endpoint.id, reason, proof)).secret;
    if (choice === 'resend') {
      const from = new Date(Date.now() - Number(since) * 86_400_000).toISOString();
      await resendSince(endpoint.id, from, reason);
    } else if (choice === 'enable') await enableWebhook(endpoint.id, reason, proof);
    else await actOnWebhook(endpoint.id, choice, reason);
    return undefined;
  };
  return (
    <ReasonDialog
      title={`${title}: ${endpoint.description}`}
      label={label}
      effect={<p>{effect}</p>}
      values={{ since: '7' }}
      act={act}
      onDone={onDone}
      onClose={onClose}
      proved={choice === 'rotate' || choice === 'enable'}
    >
      {choice === 'resend' && (
        <NativeSelectField
          name="since"
          label="What it missed in"
          options={[
            ['1', 'the last day'],
            ['7', 'the last 7 days'],
            ['90', 'the last 90 days'],
          ]}
        />
      )}
    </ReasonDialog>
  );
}

/** Asks for the reason to send one event again. */
export function ConnectedResend({ delivery, onClose }: { delivery: string; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Send the event again?"
      label="Send again"
      effect={<p>The system recognises an event that it already has by its id.</p>}
      act={(reason) => resendDelivery(delivery, reason)}
      onClose={onClose}
    />
  );
}
