import { useState, useSyncExternalStore } from 'react';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/form/text-field';
import { Modal } from '@/ui/modal';
import { addPasskey, knowsPasskeys, removePasskey, renamePasskey, type Passkey } from '../api/passkeys';
import { CurrentPassword, CurrentProof, proofOf, SecretForm } from './secret-form';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

const never = () => () => undefined;

/** Whether the browser has passkeys; false while the page is made elsewhere. */
export const useKnowsPasskeys = () => useSyncExternalStore(never, knowsPasskeys, () => false);

function AddForm({ onClose }: { onClose: () => void }) {
  return (
    <>
      <SecretForm
        label="Make the passkey"
        values={{ name: '', ...proofOf({}) }}
        send={(typed) => addPasskey(typed.name, proofOf(typed))}
        onDone={onClose}
      >
        <TextField name="name" label="Name, such as that of the device" maxLength={60} autoComplete="off" />
        <CurrentProof />
      </SecretForm>
      <Button variant="quiet" onClick={onClose}>
        Not now
      </Button>
    </>
  );
}

/** The act to confirm, and its passkey. */
interface Asked {
  act: 'rename' | 'remove';
  passkey: Passkey;
}

function Dialog({ asked: { act, passkey }, onClose }: { asked: Asked; onClose: () => void }) {
  if (act === 'rename')
    return (
      <Modal open title={`Rename the passkey ${passkey.name}`} onClose={onClose}>
        <SecretForm
          label="Save the name"
          values={{ name: passkey.name }}
          send={({ name }) => renamePasskey(passkey.id, name)}
          onDone={onClose}
        >
          <TextField name="name" label="New name" maxLength={60} autoComplete="off" />
        </SecretForm>
      </Modal>
    );
  return (
    <Modal open title={`Remove the passkey ${passkey.name}`} onClose={onClose}>
      <SecretForm
        label="Remove it"
        values={{ current_password: '' }}
        send={(typed) => removePasskey(passkey.id, typed.current_password)}
        onDone={onClose}
      >
        <p>
          It can no longer be used to sign in, and your other sessions end. Delete it on the device as well: the browser
          goes on offering it. Password and authenticator stay as they are.
        </p>
        <CurrentPassword />
      </SecretForm>
    </Modal>
  );
}

interface ListProps {
  passkeys: Passkey[];
  now: number;
  onAsk?: (asked: Asked) => void;
}

/** A member's passkeys; the buttons appear only for the member's own. */
export function PasskeyList({ passkeys, now, onAsk }: ListProps) {
  if (passkeys.length === 0) return <p>There are no passkeys.</p>;
  return (
    <ul className="trail-list" aria-label="Passkeys">
      {passkeys.map((one) => (
        <li key={one.id}>
          <strong>{one.name}</strong>
          {one.synced && ', kept by a password manager'}, added <When at={one.created_at} now={now} />,{' '}
          {one.last_used_at ? (
            <>
              last used <When at={one.last_used_at} now={now} />
            </>
          ) : (
            'not used yet'
          )}{' '}
          {onAsk && (
            <>
              <Offer onClick={() => onAsk({ act: 'rename', passkey: one })} of={`the passkey ${one.name}`}>
                Rename
              </Offer>{' '}
              <Offer onClick={() => onAsk({ act: 'remove', passkey: one })} of={`the passkey ${one.name}`}>
                Remove
              </Offer>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The user's own passkeys. A passkey replaces password and code, because the device requires its own unlock. */
export function OwnPasskeys({ passkeys, now }: { passkeys: Passkey[]; now: number }) {
  const [asked, setAsked] = useState<Asked>();
  const [adding, setAdding] = useState(false);
  const known = useKnowsPasskeys();
  const close = () => {
    setAsked(undefined);
    setAdding(false);
  };
  return (
    <>
      <p>A passkey signs you in without password and code: your device asks you to unlock it.</p>
      <PasskeyList passkeys={passkeys} now={now} onAsk={setAsked} />
      {!known && <p>This browser has no passkeys. Add one with another browser.</p>}
      {known && !adding && (
        <Button variant="outline" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      )}
      {adding && <AddForm onClose={close} />}
      {asked && <Dialog asked={asked} onClose={close} />}
    </>
  );
}
