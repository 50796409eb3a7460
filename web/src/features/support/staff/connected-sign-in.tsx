import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { TextField } from '@/ui/form/text-field';
import { StatusText } from '@/ui/notice';
import { Async } from '@/ui/states';
import {
  addSignInSystem,
  changeSignInSystem,
  rotateSignInSecret,
  setSignInState,
  signInSystemsQuery,
  type SignInSystem,
} from '../api/connected-sign-in';
import './connected-sign-in.scss';
import { useSecret } from '../connected/use-secret';
import { Facts } from '../shared/facts';
import { ReasonDialog } from '../shared/reason-dialog';
import type { Proof } from './secret-form';
import { Offer } from '../shared/offer';

type Choice = 'change' | 'rotate' | SignInSystem['state'];

interface EntryDialogProps {
  /** The system to change; undefined to add one. */
  system: SignInSystem | undefined;
  onDone: (secret?: string) => void;
  onClose: () => void;
}

function EntryDialog({ system, onDone, onClose }: EntryDialogProps) {
  const values = {
    label: system?.label ?? '',
    login_url: system?.login_url ?? 'https://',
    redirect_uris: system?.redirect_uris.join('\n') ?? 'https://',
    dashboard: system?.dashboard ?? true,
  };
  const act = async (reason: string, proof: Proof, typed: typeof values) => {
    const entry = {
      ...typed,
      label: typed.label.trim(),
      login_url: typed.login_url.trim(),
      redirect_uris: typed.redirect_uris.split(/\s+/).filter(Boolean),
    };
    if (!system) return (await addSignInSystem(entry, reason, proof)).secret;
    await changeSignInSystem(system.id, entry, reason, proof);
    return undefined;
  };
  return (
    <ReasonDialog
      title={system ? `Change ${system.label}` : 'Add a sign-in'}
      label={system ? 'Change' : 'Add'}
      effect={
        <p>
          Customers with a plan in use are signed in there from their dashboard.{' '}
          {!system && 'The secret is shown once.'}
        </p>
      }
      values={values}
      act={act}
      onDone={onDone}
      onClose={onClose}
      proved
    >
      <TextField name="label" label="What it is" />
      <TextField name="login_url" label="Where it starts a sign-in" type="url" />
      <TextAreaField name="redirect_uris" label="Where people come back to, one address a line" rows={2} />
      <CheckboxField name="dashboard" label="Access Franchise Dashboard leads there" />
    </ReasonDialog>
  );
}

const texts: Record<Exclude<Choice, 'change'>, [label: string, effect: string]> = {
  rotate: ['Change the secret', 'A new secret is shown once. The old one also works for 24 hours.'],
  enabled: ['Enable', 'Customers are signed in there again.'],
  disabled: ['Disable', 'From now on nobody is signed in there. People who are already signed in stay signed in.'],
  removed: ['Remove', 'Nobody is signed in there any more. This cannot be undone.'],
};

const wordsOf = (choice: Choice) => (choice === 'change' ? 'Change' : texts[choice][0]);

function choicesOf({ state }: SignInSystem): Choice[] {
  return ['change', 'rotate', state === 'enabled' ? 'disabled' : 'enabled', 'removed'];
}

interface SystemCardProps {
  system: SignInSystem;
  mayChange: boolean;
  onChoose: (choice: Choice) => void;
}

function SystemCard({ system, mayChange, onChoose }: SystemCardProps) {
  return (
    <li aria-label={`Sign-in to ${system.label}`}>
      <div className="queue-head">
        <h3>{system.label}</h3>
        {system.state === 'enabled' ? (
          <StatusText tone="success">Enabled</StatusText>
        ) : (
          <StatusText tone="danger">Disabled</StatusText>
        )}
      </div>
      <Facts
        of={[
          [
            'Client ID',
            <>
              <code>{system.id}</code> <CopyButton value={system.id} what="Copy the client ID" />
            </>,
          ],
          ['Starts at', system.login_url],
          ['Comes back to', system.redirect_uris.join(', ')],
          ['The customers’ button', system.dashboard ? 'Leads there' : 'Leads elsewhere'],
        ]}
      />
      {mayChange && (
        <div className="console-acts">
          {choicesOf(system).map((choice) => (
            <Offer key={choice} onClick={() => onChoose(choice)} of={system.label}>
              {wordsOf(choice)}
            </Offer>
          ))}
        </div>
      )}
    </li>
  );
}

interface Chosen {
  system: SignInSystem | undefined;
  choice: Choice;
}

/** The systems that customers are signed in to; admins set them up. */
export function ConnectedSignIn({ mayChange }: { mayChange: boolean }) {
  const systems = useQuery(signInSystemsQuery);
  const [chosen, setChosen] = useState<Chosen>();
  const secret = useSecret();
  const close = () => setChosen(undefined);
  const finish = (shown?: string) => {
    close();
    secret.finish(shown);
  };
  const act = async (reason: string, proof: Proof) => {
    if (!chosen?.system || chosen.choice === 'change') return undefined;
    if (chosen.choice === 'rotate') return (await rotateSignInSecret(chosen.system.id, reason, proof)).secret;
    await setSignInState(chosen.system.id, chosen.choice, reason, chosen.choice === 'enabled' ? proof : undefined);
    return undefined;
  };
  return (
    <>
      <Async query={systems} what="the sign-ins" lines={3} />
      {systems.data?.systems.length === 0 && (
        <p>There is none: Access Franchise Dashboard opens the store’s own dashboard.</p>
      )}
      {systems.data && systems.data.systems.length > 0 && (
        <ul className="queues sign-in-systems">
          {systems.data.systems.map((system) => (
            <SystemCard
              key={system.id}
              system={system}
              mayChange={mayChange}
              onChoose={(choice) => setChosen({ system, choice })}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <Button size="sm" onClick={() => setChosen({ system: undefined, choice: 'change' })}>
          Add a sign-in
        </Button>
      )}
      {chosen?.choice === 'change' && <EntryDialog system={chosen.system} onDone={finish} onClose={close} />}
      {chosen?.system && chosen.choice !== 'change' && (
        <ReasonDialog
          title={`${wordsOf(chosen.choice)}: ${chosen.system.label}`}
          label={wordsOf(chosen.choice)}
          effect={<p>{texts[chosen.choice][1]}</p>}
          act={act}
          onDone={finish}
          onClose={close}
          proved={chosen.choice === 'rotate' || chosen.choice === 'enabled'}
        />
      )}
      {secret.shown}
    </>
  );
}
