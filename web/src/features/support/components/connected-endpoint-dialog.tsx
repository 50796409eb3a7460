import { useState } from 'react';
import { addWebhook, changeWebhook, type Webhook } from '../api/connected';
import { ReasonDialog } from './reason-dialog';

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
  const [url, setUrl] = useState(endpoint?.url ?? 'https://');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [chosen, setChosen] = useState(endpoint?.events ?? []);
  const toggle = (event: Webhook['events'][number]) =>
    setChosen(chosen.includes(event) ? chosen.filter((one) => one !== event) : [...chosen, event]);
  const act = async (reason: string) => {
    const entry = { url: url.trim(), description: description.trim(), events: chosen };
    if (!endpoint) return (await addWebhook(entry, reason)).secret;
    await changeWebhook(endpoint.id, entry, reason);
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
      act={act}
      onDone={onDone}
      onClose={onClose}
      reasonLast
    >
      <label htmlFor="connected-url">Address</label>
      <input
        id="connected-url"
        className="input"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <label htmlFor="connected-description">What it is</label>
      <input
        id="connected-description"
        className="input"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <fieldset className="connected-events">
        <legend>Events; none chosen means all</legend>
        {events.map((event) => (
          <label key={event} className="connected-event">
            <input type="checkbox" checked={chosen.includes(event)} onChange={() => toggle(event)} /> {event}
          </label>
        ))}
      </fieldset>
    </ReasonDialog>
  );
}
