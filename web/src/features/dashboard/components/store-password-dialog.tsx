import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { storePasswordForm } from './settings-forms';

export interface StorePasswordDialogProps {
  open: boolean;
  tenantId: string;
  onClose: () => void;
}

/** Changes the password of the store's own sign-in. */
export function StorePasswordDialog({ open, tenantId, onClose }: StorePasswordDialogProps) {
  const form = useQuery({ ...storePasswordForm, enabled: open });
  return (
    <Modal open={open} title={t`Change store password`} onClose={onClose} closeOnBackdrop={false}>
      <Async query={form} what={t`the form`}>
        {({ Part }) => <Part tenantId={tenantId} onDone={onClose} />}
      </Async>
    </Modal>
  );
}
