import { t } from '@lingui/core/macro';
import { Button } from '../button';
import { Modal } from '../modal';

export interface UnsavedChangesDialogProps {
  open: boolean;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are lost. */
export function UnsavedChangesDialog({ open, onLeave, onStay }: UnsavedChangesDialogProps) {
  const footer = (
    <>
      <Button variant="quiet" onClick={onLeave}>{t`Leave without saving`}</Button>
      <Button onClick={onStay}>{t`Keep editing`}</Button>
    </>
  );
  return (
    <Modal open={open} title={t`You have unsaved changes`} onClose={onStay} footer={footer}>
      <p>{t`What you changed on this screen is not saved yet.`}</p>
    </Modal>
  );
}
