import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Badge, Notice } from '@/ui/notice';
import { explain } from '@/lib/api/errors';
import { formatInstant, formatMobile } from '@/lib/format';
import { roleWords } from '@/lib/session/roles';
import { toast } from '@/lib/toast';
import { useChangeRole } from '../api/change-role';
import { useRemoveMember } from '../api/remove-member';
import { useResendInvitation } from '../api/resend-invitation';
import type { Member } from '../api/team';
import { invitationText } from '../words';
import { MemberProofDialog } from './member-proof-dialog';

/** One person: role, state, and the owner's actions. */
export function MemberRow({ member }: { member: Member }) {
  const { id, name, mobile, role, state, last_seen_at: seen } = member;
  const [asked, setAsked] = useState<'' | 'resend' | 'role' | 'remove'>('');
  const close = () => setAsked('');
  const resend = useResendInvitation();
  const change = useChangeRole();
  const other = role === 'accountant' ? 'manager' : 'accountant';
  const as = roleWords[other].name.toLowerCase();
  const invited = state === 'invited';
  return (
    <li className="member">
      <div>
        <h2>
          {name} <Badge tone={invited ? 'warning' : 'success'}>{invited ? t`Invited` : roleWords[role].name}</Badge>
        </h2>
        <p className="text-muted text-sm">
          {formatMobile(mobile)} · {roleWords[role].name}
        </p>
        <p className="text-muted text-sm">
          {invited ? invitationText(member) : seen ? t`Last seen ${formatInstant(seen)}` : t`Not seen yet`}
        </p>
      </div>
      <div className="member-acts">
        {invited && (
          <Button variant="outline" size="sm" onClick={() => setAsked('resend')}>
            <Trans>
              Send again<span className="visually-hidden"> to {name}</span>
            </Trans>
          </Button>
        )}
        <Button variant="outline" size="sm" onClick={() => setAsked('role')}>
          <Trans>
            Make {as}
            <span className="visually-hidden">: {name}</span>
          </Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => setAsked('remove')}>
          {invited ? t`Withdraw` : t`Remove`}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
      <MemberProofDialog
        open={asked === 'resend'}
        title={t`Send the invitation to ${name} again?`}
        effect={t`The link that was sent no longer works.`}
        label={t`Send invitation`}
        act={(proof) => resend.mutateAsync({ id, ...proof })}
        onClose={close}
      />
      <MemberProofDialog
        open={asked === 'role'}
        title={t`Change the role of ${name}?`}
        effect={`${roleWords[other].name} ${roleWords[other].may}`}
        label={t`Change role`}
        act={(proof) => change.mutateAsync({ id, role: other, ...proof })}
        onClose={close}
      />
      <RemoveDialog member={member} open={asked === 'remove'} onClose={close} />
    </li>
  );
}

interface RemoveDialogProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

function RemoveDialog({ member: { id, name, state }, open, onClose }: RemoveDialogProps) {
  const remove = useRemoveMember();
  const invited = state === 'invited';
  const handleRemove = () =>
    remove.mutate(id, {
      onSuccess: ({ message }) => {
        toast.success(message);
        onClose();
      },
    });
  return (
    <Modal
      open={open}
      title={invited ? t`Withdraw the invitation of ${name}?` : t`Remove ${name}?`}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>{t`Keep`}</Button>
          <Button variant="danger" pending={remove.isPending} onClick={handleRemove}>
            {invited ? t`Withdraw invitation` : t`Remove`}
          </Button>
        </>
      }
    >
      {remove.error && (
        <Notice tone="danger" live>
          {explain(remove.error)}
        </Notice>
      )}
      <p>
        {invited
          ? t`The link that was sent no longer works.`
          : t`Access to your account ends at once, on every device. The history keeps what they did.`}
      </p>
    </Modal>
  );
}
