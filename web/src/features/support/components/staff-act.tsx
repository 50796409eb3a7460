import { useState } from 'react';
import { roleNames, type Role } from '../api/rights';
import { acts, invite, setRole, type Act, type StaffAccount } from '../api/staff';
import { ReasonDialog } from './reason-dialog';
import { ApartHint } from './second-person';

interface Told {
  message: string;
  data?: { url: string | null } | null;
}

const words: Record<Act, [label: string, effect: string]> = {
  disable: [
    'Disable',
    'They are signed out at once and kept out until an admin enables the account. Their passkeys are gone for good.',
  ],
  enable: ['Enable', 'They may sign in again with password and authenticator. Old sessions stay ended.'],
  reset: [
    'Ask for a reset',
    'Another admin has to approve it. Then the authenticator and all passkeys are gone, they are signed out, and a link lets them set a password and connect another app.',
  ],
  approve: [
    'Approve the reset',
    'Make sure that the request is genuine: call them. The authenticator and all passkeys are gone at once.',
  ],
  decline: ['Decline the reset', 'Nothing changes. The requester may ask again.'],
  resend: ['Send another link', 'The earlier link no longer works. The new one is valid for 72 hours.'],
  withdraw: ['Withdraw', 'The link no longer works.'],
  end: ['End the session', 'They are signed out there at once.'],
};

export interface StaffDo {
  act: Act;
  id: string;
  name: string;
}

interface DialogProps<T> {
  of: T;
  onDone: (told: Told) => void;
  onClose: () => void;
}

/** Acts that open an account or its sign-in. */
const opening: Act[] = ['enable', 'reset', 'approve'];

/** Acts that make a link with which somebody sets a password and an authenticator. */
const linking: Act[] = ['approve', 'resend'];

/** Asks why, and does it. */
export function StaffActDialog({ of, onDone, onClose }: DialogProps<StaffDo>) {
  const [label, effect] = words[of.act];
  return (
    <ReasonDialog
      title={`${label}: ${of.name}`}
      label={label}
      effect={
        <>
          <p>{effect}</p>
          {opening.includes(of.act) && <ApartHint />}
        </>
      }
      act={(reason, proof): Promise<Told> => acts[of.act](of.id, reason, proof)}
      proved={linking.includes(of.act)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <>
      <label htmlFor="staff-role">Role</label>
      <select
        id="staff-role"
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value as Role)}
      >
        {Object.entries(roleNames).map(([role, name]) => (
          <option key={role} value={role}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

/** Another role for a member. */
export function RoleDialog({ of, onDone, onClose }: DialogProps<StaffAccount>) {
  const [role, setChosen] = useState<Role>(of.role);
  return (
    <ReasonDialog
      title={`Change the role of ${of.name}`}
      label="Change the role"
      effect={
        <>
          <p>They are signed out and have the new role from their next sign-in.</p>
          {of.role !== 'admin' && <ApartHint />}
        </>
      }
      act={(reason): Promise<Told> => setRole(of.id, role, reason)}
      onDone={onDone}
      onClose={onClose}
      reasonLast
    >
      <RoleSelect value={role} onChange={setChosen} />
    </ReasonDialog>
  );
}

/** Invites a staff member by e-mail. */
export function InviteDialog({ onDone, onClose }: Omit<DialogProps<never>, 'of'>) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setChosen] = useState<Role>('support');
  return (
    <ReasonDialog
      title="Invite somebody to the staff"
      label="Invite"
      effect={
        <>
          <p>
            They get a link that works once, for 72 hours, with which they set a password and connect an authenticator
            app.
          </p>
          <ApartHint />
        </>
      }
      act={(reason, proof): Promise<Told> => invite({ email: email.trim(), name: name.trim(), role, reason, ...proof })}
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <label htmlFor="staff-invite-name">Name</label>
      <input id="staff-invite-name" className="input" value={name} onChange={(event) => setName(event.target.value)} />
      <label htmlFor="staff-invite-email">E-mail</label>
      <input
        id="staff-invite-email"
        className="input"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleSelect value={role} onChange={setChosen} />
    </ReasonDialog>
  );
}
