import { SelectField } from '@/components/form/select-field';
import { roleWords } from '@/lib/session/roles';

const roles = [
  { id: 'accountant', name: 'Accountant: bills and documents' },
  { id: 'manager', name: 'Manager: the store, nothing of money' },
];

/** The role of somebody who is invited. */
export function RoleField() {
  return (
    <SelectField
      name="role"
      label="Role"
      hint={
        <>
          An accountant {roleWords.accountant.may} A manager {roleWords.manager.may}
        </>
      }
      options={roles}
    />
  );
}
