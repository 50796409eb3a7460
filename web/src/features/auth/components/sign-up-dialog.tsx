import { Modal } from '@/components/modal';
import type { PendingCode } from '../state';
import { SignUpCode } from './sign-up-code';

export interface SignUpDialogProps {
  /** The code that is awaited; null closes the dialog. */
  pending: PendingCode | null;
  /** Leads back to the form; the code stays good. */
  onChange: () => void;
}

/** The dialog for the code of a sign-up. */
export function SignUpDialog({ pending, onChange }: SignUpDialogProps) {
  return (
    <Modal open={pending !== null} title="Verify your mobile number" onClose={onChange} closeOnBackdrop={false}>
      {pending && <SignUpCode pending={pending} onChange={onChange} focused />}
    </Modal>
  );
}
