import { t } from '@lingui/core/macro';
import { Modal } from '@/ui/modal';
import type { PendingCode } from '../state';
import { SignUpCode, type SignUpCodeProps } from './sign-up-code';

export interface SignUpDialogProps extends Omit<SignUpCodeProps, 'pending' | 'focused'> {
  /** The code being waited for; null closes the dialog. */
  pending: PendingCode | null;
}

/** The dialog for the code of a sign-up. */
export function SignUpDialog({ pending, ...rest }: SignUpDialogProps) {
  return (
    <Modal open={pending !== null} title={t`Verify your mobile number`} onClose={rest.onChange} closeOnBackdrop={false}>
      {pending && <SignUpCode {...rest} pending={pending} focused />}
    </Modal>
  );
}
