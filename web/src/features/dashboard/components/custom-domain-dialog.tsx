import { t } from '@lingui/core/macro';
import { Modal } from '@/ui/modal';
import type { Tenant } from '../state';
import { CustomDomainForm } from './custom-domain-form';

export interface CustomDomainDialogProps {
  open: boolean;
  tenant: Tenant;
  onClose: () => void;
  /** Called after saving; the DNS records come next. */
  onSaved: () => void;
}

/** Sets the store's own domain, which is used once its DNS records verify it. */
export function CustomDomainDialog({ open, tenant, onClose, onSaved }: CustomDomainDialogProps) {
  return (
    <Modal open={open} title={t`Change custom domain`} onClose={onClose}>
      <CustomDomainForm tenant={tenant} onSaved={onSaved} />
    </Modal>
  );
}
