import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Badge, Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { RETURN_PARAM } from '@/lib/session/redirect';
import { roleWords } from '@/lib/session/roles';
import { toast } from '@/lib/toast';
import { accountsQuery, type AccountChoice } from '../api/accounts';
import { useLeaveAccount } from '../api/leave-account';
import { useSwitchAccount } from '../api/switch-account';
import '@/styles/app.scss';
import './team.scss';

const nameOf = ({ name, role }: AccountChoice) => (role === 'owner' ? t`Your own account` : name || t`Another account`);

/** The accounts that the person may act in; one is open at a time. */
export function AccountsPage() {
  const accounts = useQuery(accountsQuery);
  return (
    <div className="container page team">
      <PageTitle
        title={t`Accounts`}
        intro={t`One account is open at a time. What you do applies to that one.`}
      >{t`Which account?`}</PageTitle>
      <Async query={accounts} what={t`your accounts`} lines={4}>
        {(list) => (
          <ul className="plain-list panel team-members" aria-label={t`Accounts`}>
            {list.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ul>
        )}
      </Async>
    </div>
  );
}

function AccountRow({ account }: { account: AccountChoice }) {
  const { id, role, current } = account;
  const [search] = useSearchParams();
  const change = useSwitchAccount(search.get(RETURN_PARAM));
  const [leaving, setLeaving] = useState(false);
  const name = nameOf(account);
  return (
    <li className="member">
      <div>
        <h2>
          {name} {current && <Badge tone="success">{t`Open now`}</Badge>}
        </h2>
        <p className="text-muted text-sm">
          {roleWords[role].name}: {roleWords[role].may}
        </p>
        {change.error && (
          <Notice tone="danger" live>
            {explain(change.error)}
          </Notice>
        )}
      </div>
      <div className="member-acts">
        <Button
          size="sm"
          variant={current ? 'outline' : 'primary'}
          pending={change.isPending}
          onClick={() => change.mutate(id)}
        >
          <Trans>
            Open<span className="visually-hidden"> {name}</span>
          </Trans>
        </Button>
        {role !== 'owner' && (
          <Button variant="outline" size="sm" onClick={() => setLeaving(true)}>
            <Trans>
              Leave<span className="visually-hidden"> {name}</span>
            </Trans>
          </Button>
        )}
      </div>
      <LeaveDialog id={id} name={name} open={leaving} onClose={() => setLeaving(false)} />
    </li>
  );
}

interface LeaveDialogProps {
  id: string;
  name: string;
  open: boolean;
  onClose: () => void;
}

function LeaveDialog({ id, name, open, onClose }: LeaveDialogProps) {
  const leave = useLeaveAccount();
  const handleLeave = () =>
    leave.mutate(id, {
      onSuccess: ({ message }) => {
        toast.success(message);
        onClose();
      },
    });
  return (
    <Modal
      open={open}
      title={t`Leave ${name}?`}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>{t`Stay`}</Button>
          <Button variant="danger" pending={leave.isPending} onClick={handleLeave}>{t`Leave`}</Button>
        </>
      }
    >
      {leave.error && (
        <Notice tone="danger" live>
          {explain(leave.error)}
        </Notice>
      )}
      <p>{t`Your access to it ends at once, on every device. Only its owner can invite you again.`}</p>
    </Modal>
  );
}
