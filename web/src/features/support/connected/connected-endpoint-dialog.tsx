import { ChoicesField } from '@/ui/form/choices-field';
import { TextField } from '@/ui/form/text-field';
import { addWebhook, changeWebhook, type Webhook } from '../api/connected';
import { ReasonDialog } from '../shared/reason-dialog';
import type { Proof } from '../staff/secret-form';

export interface EndpointDialogProps {
  /** The endpoint to change; undefined to add one. */
  endpoint?: Webhook | undefined;
  events: Webhook['events'];
  /** Called with the secret of a new endpoint, or with nothing. */
  onDone: (secret?: string) => void;
  onClose: () => void;
}

/** Adds a connected system, or changes its URL and events. */
export function EndpointDialog({ endpoint, events, onDone, onClose }: EndpointDialogProps) {
  const values = {
    url: endpoint?.url ?? 'https://',
    description: endpoint?.description ?? '',
    events: endpoint?.events ?? [],
  };
  const act = async (reason: string, proof: Proof, typed: typeof values) => {
    const entry = { ...typed, url: typed.url.trim(), description: typed.description.trim() };
    if (!endpoint) return (await addWebhook(entry, reason, proof)).secret;
    await changeWebhook(endpoint.id, entry, reason, proof);
    return undefined;
  };
  return (
    <ReasonDialog
      title={endpoint ? `Change ${endpoint.description}` : 'Add a connected system'}
      label={endpoint ? 'Change' : 'Add'}
      effect={
        <p>
          It receives events from now on, signed with a secret of its own. {!endpoint && 'The secret is shown once.'}
        </p>
      }
      values={values}
      act={act}
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <TextField name="url" label="Address" type="url" />
      <TextField name="description" label="What it is" />
      <ChoicesField
        name="events"
        label="Events; none chosen means all"
        options={events.map((event) => [event, event])}
        multiple
        className="connected-events"
      />
    </ReasonDialog>
  );
}
