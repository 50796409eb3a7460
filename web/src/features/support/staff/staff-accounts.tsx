import { Button } from '@/ui/button';
import type { Column } from '@/ui/list/list-table';
import { StatusText } from '@/ui/notice';
import type { StaffAccount } from '../api/staff';
import type { StaffDo } from './staff-act';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

export type Choose = (what: StaffDo) => void;

interface DoButtonProps {
  of: StaffDo;
  label: string;
  as?: typeof Button;
  onChoose: Choose;
}

export function DoButton({ of, label, as: Shown = Button, onChoose }: DoButtonProps) {
  return (
    <Shown size="sm" variant="outline" onClick={() => onChoose(of)}>
      {label}
      <span className="visually-hidden"> {of.name}</span>
    </Shown>
  );
}

function Standing({ account: a }: { account: StaffAccount }) {
  if (a.disabled_at) return <StatusText tone="danger">Disabled</StatusText>;
  if (!a.enrolled) return <StatusText tone="warning">Has to set up sign-in again</StatusText>;
  return <StatusText tone="success">Enabled</StatusText>;
}

interface AccountOptions {
  mayChange: (account: StaffAccount) => boolean;
  now: number;
  onChoose: Choose;
  onRole: (account: StaffAccount) => void;
  onOpen: (account: StaffAccount) => void;
}

function AccountActs({
  account: a,
  mayChange,
  onChoose,
  onRole,
  onOpen,
}: Omit<AccountOptions, 'now'> & { account: StaffAccount }) {
  const { id, name } = a;
  return (
    <div className="console-acts">
      <Offer onClick={() => onOpen(a)} of={`of ${name}`}>
        Sign-ins
      </Offer>
      {mayChange(a) && (
        <>
          <Offer onClick={() => onRole(a)} of={`of ${name}`}>
            Role
          </Offer>
          <DoButton
            of={{ act: a.disabled_at ? 'enable' : 'disable', id, name }}
            label={a.disabled_at ? 'Enable' : 'Disable'}
            onChoose={onChoose}
          />
          {!a.disabled_at && a.enrolled && (
            <DoButton of={{ act: 'reset', id, name }} label="Reset the authenticator" onChoose={onChoose} />
          )}
        </>
      )}
    </div>
  );
}

/** The columns of the staff accounts. */
export const accountColumns = ({ now, ...acts }: AccountOptions): Column<StaffAccount>[] => [
  {
    label: 'Name',
    cell: (a) => (
      <>
        {a.name}
        <br />
        {a.email}
      </>
    ),
  },
  { label: 'Role', cell: (a) => a.role },
  { label: 'State', cell: (a) => <Standing account={a} /> },
  { label: 'Last sign-in', cell: (a) => (a.last_sign_in ? <When at={a.last_sign_in} now={now} /> : 'Never') },
  { label: 'Actions', cell: (a) => <AccountActs account={a} {...acts} /> },
];
