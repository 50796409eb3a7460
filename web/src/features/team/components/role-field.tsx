import { t } from '@lingui/core/macro';
import { SelectField } from '@/ui/form/select-field';
import { roleWords } from '@/lib/session/roles';

const roles = [
  { id: 'accountant', name: t`Accountant: bills and documents` },
  { id: 'manager', name: t`Manager: the store, no payments` },
];

/** The invited person's role. */
export function RoleField() {
  return (
    <SelectField
      name="role"
      label={t`Role`}
      hint={<>{t`An accountant ${roleWords.accountant.may} A manager ${roleWords.manager.may}`}</>}
      options={roles}
    />
  );
}
