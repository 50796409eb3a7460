import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { MobileField, TextField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Modal } from '@/components/modal';
import { toast } from '@/lib/toast';
import { choice, mobile, personName } from '@/lib/validation';
import { useInviteMember } from '../api/invite-member';
import type { MemberRole } from '../api/team';
import { RoleField } from './role-field';

const schema = z.object({ name: personName(t`Name`), mobile: mobile(), role: choice() });

interface InviteDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Invites a person by name, mobile and role. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
  return (
    <Modal open={open} title={t`Invite a team member`} onClose={onClose} closeOnBackdrop={false}>
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const invite = useInviteMember();
  const form = useAppForm({
    schema,
    defaultValues: { name: '', mobile: '', role: '' },
    onSubmit: async ({ name, mobile: number, role }) => {
      const { message } = await invite.mutateAsync({ name, mobile: number, role: role as MemberRole });
      toast.success(message);
      onDone();
    },
  });
  return (
    <Form form={form} label={t`Invite a team member`}>
      <TextField name="name" label={t`Name`} autoComplete="off" />
      <MobileField autoComplete="off" hint={t`They get a link by SMS, and log in with this number.`} />
      <RoleField />
      <SubmitButton block size="lg">{t`Send invitation`}</SubmitButton>
    </Form>
  );
}
