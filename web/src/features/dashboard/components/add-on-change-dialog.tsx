import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useUpdateAddOn } from '../api/update-add-on';
import type { OwnedAddOn } from '../state';

export interface AddOnChangeDialogProps {
  open: boolean;
  /** The add-on to cancel or reactivate; null while the dialog is closed. */
  addOn: OwnedAddOn | null;
  onClose: () => void;
}

/** Asks for confirmation before an add-on is cancelled or reactivated; either takes effect with the next billing cycle. */
export function AddOnChangeDialog({ open, addOn, onClose }: AddOnChangeDialogProps) {
  // Keeps the text while the dialog fades out.
  const [shown, setShown] = useState(addOn);
  if (addOn && addOn !== shown) setShown(addOn);
  const update = useUpdateAddOn();
  const name = shown?.add_ons_service_name ?? '';
  const cancels = shown?.next_billing_cycle_status === 1;

  const handleClose = () => {
    update.reset();
    onClose();
  };
  const handleConfirm = () => {
    if (!shown) return;
    update.mutate(
      { id: shown.id, status: cancels ? 0 : 1 },
      {
        onSuccess: ({ message }) => {
          toast.success(message);
          handleClose();
        },
      },
    );
  };

  const footer = (
    <>
      <Button variant="quiet" onClick={handleClose}>
        {cancels ? t`Keep add-on` : t`Not now`}
      </Button>
      <Button variant={cancels ? 'danger' : 'primary'} pending={update.isPending} onClick={handleConfirm}>
        {cancels ? t`Cancel add-on` : t`Reactivate`}
      </Button>
    </>
  );
  return (
    <Modal
      open={open}
      title={cancels ? t`Cancel ${name}` : t`Reactivate ${name}`}
      onClose={handleClose}
      footer={footer}
    >
      <div className="stack-sm">
        {update.isError && (
          <Notice tone="danger" live>
            {explain(update.error)}
          </Notice>
        )}
        <p>{cancels ? t`Are you sure you want to cancel this add-on?` : t`Do you want to keep this add-on?`}</p>
        <p className="text-muted">
          {t`This will be updated in the next billing cycle.`}{' '}
          {shown &&
            (cancels
              ? t`It stays yours until ${formatDate(shown.ends_on)}.`
              : t`It then continues after ${formatDate(shown.ends_on)}.`)}
        </p>
      </div>
    </Modal>
  );
}
