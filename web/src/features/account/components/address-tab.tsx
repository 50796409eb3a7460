import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { AddressForm, changeDraft, firstDraft } from '@/domain/address-form/address-form';
import { addressQuery } from '@/domain/address-form/api/address';
import { UnsavedChanges } from '@/ui/form/unsaved-changes';
import { Async } from '@/ui/states';
import { useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';

/** The business address, which appears on invoices. */
export function AddressTab() {
  const { franchiserID } = useSession();
  const address = useQuery(addressQuery(franchiserID ?? ''));
  if (address.data === undefined) return <Async query={address} what={t`your address`} lines={8} />;
  return (
    <AddressForm address={address.data} submitLabel={t`Save`} onSaved={(_saved, message) => toast.success(message)}>
      <UnsavedChanges draftKey={address.data ? changeDraft.key : firstDraft.key} />
    </AddressForm>
  );
}
