import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/button';
import { StatusText } from '@/components/notice';
import { QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { meQuery } from '../api/queries';
import { staffQuery, tiesQuery, type StaffAccount, type StaffInvitation, type StaffReset } from '../api/staff';
import { ConnectedSecret } from './connected-secret';
import { ConsoleTable } from './console-table';
import { DecisionButton, SecondPerson } from './second-person';
import { InviteDialog, RoleDialog, StaffActDialog, type StaffDo } from './staff-act';
import { StaffActivity } from './staff-activity';
import { When } from './when';
import './support-customers.scss';
import './connected.scss';

type Choose = (what: StaffDo) => void;

interface DoButtonProps {
  of: StaffDo;
  label: string;
  as?: typeof Button;
  onChoose: Choose;
}

function DoButton({ of, label, as: Shown = Button, onChoose }: DoButtonProps) {
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

interface AccountProps {
  account: StaffAccount;
  mayChange: boolean;
  now: number;
  onChoose: Choose;
  onRole: () => void;
  onOpen: () => void;
}

function AccountRow({ account: a, mayChange, now, onChoose, onRole, onOpen }: AccountProps) {
  const { id, name } = a;
  return (
    <tr>
      <td data-label="Name">
        {name}
        <br />
        {a.email}
      </td>
      <td data-label="Role">{a.role}</td>
      <td data-label="State">
        <Standing account={a} />
      </td>
      <td data-label="Last sign-in">{a.last_sign_in ? <When at={a.last_sign_in} now={now} /> : 'Never'}</td>
      <td data-label="Actions">
        <div className="console-acts">
          <Button size="sm" variant="outline" onClick={onOpen}>
            Sign-ins<span className="visually-hidden"> of {name}</span>
          </Button>
          {mayChange && (
            <>
              <Button size="sm" variant="outline" onClick={onRole}>
                Role<span className="visually-hidden"> of {name}</span>
              </Button>
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
      </td>
    </tr>
  );
}

interface RowsProps<T> {
  list: T[];
  me: { id: string; role: string } | undefined;
  now: number;
  onChoose: Choose;
}

function Resets({ list, accounts, me, now, onChoose }: RowsProps<StaffReset> & { accounts: StaffAccount[] }) {
  return (
    <ul className="console-contacts">
      {list.map((r) => {
        const name = accounts.find((one) => one.id === r.staff_id)?.name ?? 'a member of staff';
        return (
          <li key={r.id}>
            <p>
              {r.requested_by_name} asked to reset the authenticator of <strong>{name}</strong>{' '}
              <When at={r.requested_at} now={now} />: {r.reason}
            </p>
            {me?.role === 'admin' && me.id !== r.staff_id && (
              <div className="console-acts">
                <SecondPerson askedBy={r.requested_by}>
                  {me.id !== r.requested_by && (
                    <DoButton
                      of={{ act: 'approve', id: r.id, name }}
                      label="Approve"
                      as={DecisionButton}
                      onChoose={onChoose}
                    />
                  )}
                  <DoButton
                    of={{ act: 'decline', id: r.id, name }}
                    label={me.id === r.requested_by ? 'Withdraw' : 'Decline'}
                    onChoose={onChoose}
                  />
                </SecondPerson>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function sent(i: StaffInvitation): string {
  if (i.sent_at) return 'Sent';
  return i.send_error ? 'Not sent: the mail server refused it or cannot be reached' : 'Not sent by e-mail';
}

function Invitations({ list, me, now, onChoose }: RowsProps<StaffInvitation>) {
  return (
    <ConsoleTable wide caption="Invitations" heads={['Who', 'Role', 'Invited', 'State', 'Actions']}>
      {list.map((i) => (
        <tr key={i.id}>
          <td data-label="Who">
            {i.name}
            <br />
            {i.email}
          </td>
          <td data-label="Role">{i.enrols ? `${i.role}, sets up sign-in again` : i.role}</td>
          <td data-label="Invited">
            by {i.invited_by}, <When at={i.created_at} now={now} />
          </td>
          <td data-label="State">{Date.parse(i.expires_at) <= now ? 'Expired' : sent(i)}</td>
          <td data-label="Actions">
            {me?.role === 'admin' && (
              <div className="console-acts">
                <DoButton
                  of={{ act: 'resend', id: i.id, name: i.name }}
                  label="Send another link"
                  onChoose={onChoose}
                />
                <DoButton of={{ act: 'withdraw', id: i.id, name: i.name }} label="Withdraw" onChoose={onChoose} />
              </div>
            )}
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The open dialog: an account's sign-ins, an act, a role change, or an invitation. */
interface Dialog {
  activity?: StaffAccount;
  act?: StaffDo;
  role?: StaffAccount;
  invite?: boolean;
}

/** The one open dialog, and the link that an act made where no mail server sends it. */
function useStaffDialog() {
  const queries = useQueryClient();
  const [dialog, open] = useState<Dialog>({});
  const [link, setLink] = useState('');
  const close = () => open({});
  const finish = ({ message, data }: { message: string; data?: { url: string | null } | null }) => {
    close();
    if (data?.url) setLink(data.url);
    else toast.success(message);
    for (const { queryKey } of [staffQuery, tiesQuery]) void queries.invalidateQueries({ queryKey });
  };
  return { dialog, open, close, finish, link, forget: () => setLink('') };
}

/** The staff accounts, the invitations, and the decisions that wait for a second admin. Auditors may read it. */
export function StaffPage() {
  usePageMeta({ title: 'Staff' });
  const list = useQuery(staffQuery);
  const me = useQuery(meQuery).data;
  const { dialog, open, close, finish, link, forget } = useStaffDialog();
  const now = list.dataUpdatedAt;
  const choose = (of: StaffDo) => open({ act: of });
  const rows = { me, now, onChoose: choose };
  return (
    <>
      <div className="console-bar">
        <h1>Staff</h1>
        {me?.role === 'admin' && (
          <Button size="sm" onClick={() => open({ invite: true })}>
            Invite somebody
          </Button>
        )}
      </div>
      <QueryStates query={list} what="the staff" lines={6} tellStale />
      {list.data && (
        <>
          {list.data.resets.length > 0 && (
            <>
              <h2>Waiting for another admin</h2>
              <Resets {...rows} list={list.data.resets} accounts={list.data.accounts} />
            </>
          )}
          <ConsoleTable wide caption="Accounts of staff" heads={['Name', 'Role', 'State', 'Last sign-in', 'Actions']}>
            {list.data.accounts.map((one) => (
              <AccountRow
                key={one.id}
                account={one}
                mayChange={me?.role === 'admin' && me.id !== one.id}
                now={now}
                onChoose={choose}
                onRole={() => open({ role: one })}
                onOpen={() => open({ activity: one })}
              />
            ))}
          </ConsoleTable>
          <h2>Invitations</h2>
          {list.data.invitations.length === 0 ? (
            <p className="console-hint">There are no open invitations.</p>
          ) : (
            <Invitations {...rows} list={list.data.invitations} />
          )}
        </>
      )}
      {dialog.activity && (
        <StaffActivity
          account={dialog.activity}
          mayEnd={me?.role === 'admin'}
          onEnd={(id) => choose({ act: 'end', id, name: dialog.activity?.name ?? '' })}
          onClose={close}
        />
      )}
      {dialog.act && <StaffActDialog of={dialog.act} onDone={finish} onClose={close} />}
      {dialog.role && <RoleDialog of={dialog.role} onDone={finish} onClose={close} />}
      {dialog.invite && <InviteDialog onDone={finish} onClose={close} />}
      {link && <ConnectedSecret what="link" secret={link} onClose={forget} />}
    </>
  );
}
