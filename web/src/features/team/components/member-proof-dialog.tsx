import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { ProofFields } from '@/domain/proof-fields';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { toast } from '@/lib/toast';
import { authenticatorCode, currentPassword } from '@/lib/validation';
import type { MemberProof } from '../api/team';

const schema = z.object({ password: currentPassword(), code: z.optional(authenticatorCode()) });

interface MemberProofDialogProps {
  open: boolean;
  title: string;
  /** What happens to the person's access. */
  effect: string;
  label: string;
  act: (proof: MemberProof) => Promise<{ message: string }>;
  onClose: () => void;
}

/** Asks for password and code before a person gets access that outlives the session. */
export function MemberProofDialog({ open, title, onClose, ...form }: MemberProofDialogProps) {
  return (
    <Modal open={open} title={title} onClose={onClose} closeOnBackdrop={false}>
      <MemberProofForm title={title} onDone={onClose} {...form} />
    </Modal>
  );
}

interface MemberProofFormProps extends Omit<MemberProofDialogProps, 'open' | 'onClose'> {
  onDone: () => void;
}

function MemberProofForm({ title, effect, label, act, onDone }: MemberProofFormProps) {
  const form = useAppForm({
    schema,
    defaultValues: { password: '' },
    onSubmit: async (proof) => {
      const { message } = await act(proof);
      toast.success(message);
      onDone();
    },
  });
  return (
    <Form form={form} label={title}>
      <p className="text-muted">{effect}</p>
      <ProofFields />
      <SubmitButton block size="lg">
        {label}
      </SubmitButton>
    </Form>
  );
}
