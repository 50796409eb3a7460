import { t } from '@lingui/core/macro';
import { Modal } from '@/ui/modal';
import { StorePasswordForm } from './store-password-form';

export interface StorePasswordDialogProps {
  open: boolean;
  tenantId: string;
  onClose: () => void;
}

/** Changes the password of the store's own sign-in. */
export function StorePasswordDialog({ open, tenantId, onClose }: StorePasswordDialogProps) {
  return (
    <Modal open={open} title={t`Change store password`} onClose={onClose} closeOnBackdrop={false}>
      <StorePasswordForm tenantId={tenantId} onDone={onClose} />
    </Modal>
  );
}
