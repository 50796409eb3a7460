import { useState } from 'react';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { judged, mobile as mobileSchema } from '@/lib/validation';
import type { Customer } from '../api/customers';
import { ActDialog } from '../shared/act-dialog';
import { actWords } from '../staff/act-words';
import { customerName } from './customer-words';

export interface ChangeMobileProps {
  customer: Customer;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

const MIN_CHECKED = 10;

function problemsOf({ mobile, checked }: { mobile: string; checked: string }) {
  return {
    mobile: mobileSchema().safeParse(mobile).success ? undefined : 'Enter the ten digits of an Indian mobile number.',
    checked: checked.trim().length < MIN_CHECKED ? 'Write what you checked, in 10 to 500 characters.' : undefined,
  };
}

/** Collects the new mobile number of a customer who lost the old one, and what was checked; the next dialog previews the change. */
export function ChangeMobile({ customer, onDone, onClose }: ChangeMobileProps) {
  const [asked, setAsked] = useState<{ mobile: string; checked: string }>();
  const form = useAppForm({
    schema: judged(problemsOf),
    defaultValues: { mobile: '', checked: '' },
    onSubmit: ({ mobile, checked }) => setAsked({ mobile: mobileSchema().parse(mobile), checked: checked.trim() }),
  });
  const { title, effect } = actWords.change_mobile;
  if (asked)
    return (
      <ActDialog
        content={{ kind: 'change_mobile', customer_id: customer.id, ...asked }}
        who={customerName(customer)}
        onDone={onDone}
        onClose={onClose}
        onBack={() => setAsked(undefined)}
      />
    );
  return (
    <Modal open title={`${title}: ${customerName(customer)}`} onClose={onClose} closeOnBackdrop={false}>
      <Form form={form} className="reason-form" summary={false}>
        <p>{effect}</p>
        <TextField name="mobile" label="New mobile number" type="tel" inputMode="numeric" autoComplete="off" />
        <TextField
          name="checked"
          label="What did you check?"
          hint="For example: PAN card seen in a video call. The colleague who approves sees it, and the audit trail keeps it."
          autoComplete="off"
          maxLength={500}
        />
        <SubmitButton>Show what it would do</SubmitButton>
      </Form>
    </Modal>
  );
}
