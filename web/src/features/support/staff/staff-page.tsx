import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { PageBar } from '@/ui/list/page-bar';
import { meQuery } from '../api/queries';
import { staffQuery, type StaffAccount, type StaffInvitation, type StaffReset } from '../api/staff';
import { useSecret } from '../connected/use-secret';
import { DecisionButton, SecondPerson } from './second-person';
import { InviteDialog, RoleDialog, StaffActDialog, type StaffDo } from './staff-act';
import { accountColumns, DoButton, type Choose } from './staff-accounts';
import { StaffActivity } from './staff-activity';
import { When } from '../shared/when';
import '../customers/support-customers.scss';
import '../connected/connected.scss';

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

function sent(i: StaffInvitation, emails: boolean): string {
  if (i.sent_at) return 'Sent';
  if (i.send_error) return 'Not sent: the mail server refused it or cannot be reached';
  return emails ? 'Being sent' : 'Not sent by e-mail';
}

function Invitations({ list, me, now, onChoose, emails }: RowsProps<StaffInvitation> & { emails: boolean }) {
  return (
    <ListTable
      wide
      caption="Invitations"
      rows={list}
      rowKey={(i) => i.id}
      columns={[
        {
          label: 'Who',
          cell: (i) => (
            <>
              {i.name}
              <br />
              {i.email}
            </>
          ),
        },
        { label: 'Role', cell: (i) => (i.enrols ? `${i.role}, sets up sign-in again` : i.role) },
        {
          label: 'Invited',
          cell: (i) => (
            <>
              by {i.invited_by}, <When at={i.created_at} now={now} />
            </>
          ),
        },
        { label: 'State', cell: (i) => (Date.parse(i.expires_at) <= now ? 'Expired' : sent(i, emails)) },
        {
          label: 'Actions',
          cell: (i) =>
            me?.role === 'admin' && (
              <div className="console-acts">
                <DoButton
                  of={{ act: 'resend', id: i.id, name: i.name }}
                  label="Send another link"
                  onChoose={onChoose}
                />
                <DoButton of={{ act: 'withdraw', id: i.id, name: i.name }} label="Withdraw" onChoose={onChoose} />
              </div>
            ),
        },
      ]}
    />
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
  const [dialog, open] = useState<Dialog>({});
  const link = useSecret('link');
  const close = () => open({});
  const finish = ({ message, data }: { message: string; data?: { url: string | null } | null }) => {
    close();
    link.finish(data?.url ?? undefined, message);
  };
  return { dialog, open, close, finish, link: link.shown };
}

/** The staff accounts, the invitations, and the decisions that wait for a second admin. Auditors may read it. */
export function StaffPage() {
  const list = useQuery(staffQuery);
  const me = useQuery(meQuery).data;
  const { dialog, open, close, finish, link } = useStaffDialog();
  const now = list.dataUpdatedAt;
  const choose = (of: StaffDo) => open({ act: of });
  const rows = { me, now, onChoose: choose };
  return (
    <>
      <PageBar title="Staff">
        {me?.role === 'admin' && (
          <Button size="sm" onClick={() => open({ invite: true })}>
            Invite somebody
          </Button>
        )}
      </PageBar>
      <Async query={list} what="the staff" lines={6} tellStale />
      {list.data && (
        <>
          {list.data.resets.length > 0 && (
            <>
              <h2>Waiting for another admin</h2>
              <Resets {...rows} list={list.data.resets} accounts={list.data.accounts} />
            </>
          )}
          <ListTable
            wide
            caption="Accounts of staff"
            rows={list.data.accounts}
            rowKey={(one) => one.id}
            columns={accountColumns({
              mayChange: (one) => me?.role === 'admin' && me.id !== one.id,
              now,
              onChoose: choose,
              onRole: (role) => open({ role }),
              onOpen: (activity) => open({ activity }),
            })}
          />
          <h2>Invitations</h2>
          {list.data.invitations.length === 0 ? (
            <p className="console-hint">There are no open invitations.</p>
          ) : (
            <Invitations {...rows} list={list.data.invitations} emails={list.data.emails} />
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
      {link}
    </>
  );
}
