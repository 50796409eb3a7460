import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import type { Tenant } from '../state';
import { customDomainForm } from './settings-forms';

export interface CustomDomainDialogProps {
  open: boolean;
  tenant: Tenant;
  onClose: () => void;
  /** Called after saving; the DNS records come next. */
  onSaved: () => void;
}

/** Sets the store's own domain, which is used once its DNS records verify it. */
export function CustomDomainDialog({ open, tenant, onClose, onSaved }: CustomDomainDialogProps) {
  const form = useQuery({ ...customDomainForm, enabled: open });
  return (
    <Modal open={open} title={t`Change custom domain`} onClose={onClose}>
      <Async query={form} what={t`the form`}>
        {({ Part }) => <Part tenant={tenant} onSaved={onSaved} />}
      </Async>
    </Modal>
  );
}
