import { t } from '@lingui/core/macro';
import { Modal } from '@/ui/modal';
import { DataExport } from './data-export';
import { EmailChange } from './email-change';
import { ErasureForm } from './erasure-form';
import { MobileChange } from './mobile-change';
import { TotpOff } from './totp-off';
import { TotpSetup } from './totp-setup';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
}

export function MobileDialog({ open, onClose }: DialogProps) {
  return (
    <Modal open={open} title={t`Change your mobile number`} onClose={onClose} closeOnBackdrop={false}>
      <MobileChange onDone={onClose} />
    </Modal>
  );
}

export interface EmailDialogProps extends DialogProps {
  /** The mobile on file, which receives the code. */
  mobile: string;
}

export function EmailDialog({ open, onClose, mobile }: EmailDialogProps) {
  return (
    <Modal open={open} title={t`Change your e-mail`} onClose={onClose} closeOnBackdrop={false}>
      <EmailChange mobile={mobile} onDone={onClose} />
    </Modal>
  );
}

export function TotpSetupDialog({ open, onClose }: DialogProps) {
  return (
    <Modal open={open} title={t`Set up your authenticator app`} onClose={onClose} closeOnBackdrop={false}>
      <TotpSetup onDone={onClose} />
    </Modal>
  );
}

export function TotpOffDialog({ open, onClose }: DialogProps) {
  return (
    <Modal open={open} title={t`Switch off the authenticator app`} onClose={onClose} closeOnBackdrop={false}>
      <TotpOff onDone={onClose} />
    </Modal>
  );
}

export function ExportDialog({ open, onClose }: DialogProps) {
  return (
    <Modal open={open} title={t`Download your data`} onClose={onClose}>
      <DataExport onDone={onClose} />
    </Modal>
  );
}

export interface ErasureDialogProps extends DialogProps {
  /** Days in which the request can still be withdrawn. */
  days: number;
  /** What the law requires us to keep. */
  kept: readonly string[];
  /** What must be refunded first; null if nothing. */
  owed: string | null;
}

export function ErasureDialog({ open, onClose, days, kept, owed }: ErasureDialogProps) {
  return (
    <Modal open={open} title={t`Erase your account`} onClose={onClose} closeOnBackdrop={false}>
      <ErasureForm days={days} kept={kept} owed={owed} onDone={onClose} />
    </Modal>
  );
}
