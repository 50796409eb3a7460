import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { ProofFields } from '@/domain/proof-fields';
import { MobileField, TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { toast } from '@/lib/toast';
import { authenticatorCode, choice, currentPassword, mobile, personName } from '@/lib/validation';
import { useInviteMember } from '../api/invite-member';
import type { MemberRole } from '../api/team';
import { RoleField } from './role-field';

const schema = z.object({
  name: personName(t`Name`),
  mobile: mobile(),
  role: choice(),
  password: currentPassword(),
  code: z.optional(authenticatorCode()),
});

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
    defaultValues: { name: '', mobile: '', role: '', password: '' },
    onSubmit: async (entry) => {
      const { message } = await invite.mutateAsync({ ...entry, role: entry.role as MemberRole });
      toast.success(message);
      onDone();
    },
  });
  return (
    <Form form={form} label={t`Invite a team member`}>
      <TextField name="name" label={t`Name`} autoComplete="off" />
      <MobileField autoComplete="off" hint={t`They get a link by SMS, and log in with this number.`} />
      <RoleField />
      <ProofFields />
      <SubmitButton block size="lg">{t`Send invitation`}</SubmitButton>
    </Form>
  );
}
