import { TextField } from '@/ui/form/text-field';
import { mobile as mobileSchema } from '@/lib/validation';
import type { Customer } from '../api/customers';
import { ActFieldsDialog } from '../shared/act-dialog';
import { customerName } from './customer-words';

const MIN_CHECKED = 10;

function problemsOf({ mobile, checked }: { mobile: string; checked: string }) {
  return {
    mobile: mobileSchema().safeParse(mobile).success ? undefined : 'Enter the ten digits of an Indian mobile number.',
    checked: checked.trim().length < MIN_CHECKED ? 'Write what you checked, in 10 to 500 characters.' : undefined,
  };
}

/** Collects the new mobile number of a customer who lost the old one, and what was checked. */
export function ChangeMobile({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  return (
    <ActFieldsDialog
      kind="change_mobile"
      who={customerName(customer)}
      values={{ mobile: '', checked: '' }}
      problemsOf={problemsOf}
      contentOf={({ mobile, checked }) => ({
        customer_id: customer.id,
        mobile: mobileSchema().parse(mobile),
        checked: checked.trim(),
      })}
      onClose={onClose}
    >
      <TextField name="mobile" label="New mobile number" type="tel" inputMode="numeric" autoComplete="off" />
      <TextField
        name="checked"
        label="What did you check?"
        hint="For example: PAN card seen in a video call. The colleague who approves sees it, and the audit trail keeps it."
        autoComplete="off"
        maxLength={500}
      />
    </ActFieldsDialog>
  );
}
