import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { roleNames, type Role } from '../api/rights';
import { acts, invite, setRole, type Act, type StaffAccount } from '../api/staff';
import { ReasonDialog } from '../shared/reason-dialog';
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

/** Acts that give somebody access that outlives the session. */
const lasting: Act[] = ['enable', 'approve', 'resend'];

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
      proved={lasting.includes(of.act)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const RoleField = () => <NativeSelectField name="role" label="Role" options={Object.entries(roleNames)} />;

/** Another role for a member. */
export function RoleDialog({ of, onDone, onClose }: DialogProps<StaffAccount>) {
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
      values={{ role: of.role }}
      act={(reason, proof, { role }): Promise<Told> => setRole(of.id, role, reason, proof)}
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <RoleField />
    </ReasonDialog>
  );
}

/** Invites a staff member by e-mail. */
export function InviteDialog({ onDone, onClose }: Omit<DialogProps<never>, 'of'>) {
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
      values={{ email: '', name: '', role: 'support' as Role }}
      act={(reason, proof, { email, name, role }): Promise<Told> =>
        invite({ email: email.trim(), name: name.trim(), role, reason, ...proof })
      }
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <TextField name="name" label="Name" />
      <TextField name="email" label="E-mail" type="email" />
      <RoleField />
    </ReasonDialog>
  );
}
