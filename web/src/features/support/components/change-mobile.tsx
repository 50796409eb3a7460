import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { mobile as mobileSchema } from '@/lib/validation';
import type { Customer } from '../api/customers';
import { ActDialog } from './act-dialog';
import { actWords } from './act-words';
import { customerName } from './customer-words';

export interface ChangeMobileProps {
  customer: Customer;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Collects the new mobile number of a customer who lost the old one; the next dialog previews the change. */
export function ChangeMobile({ customer, onDone, onClose }: ChangeMobileProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [mobile, setMobile] = useState('');
  const { title, effect } = actWords.change_mobile;
  if (mobile)
    return (
      <ActDialog
        content={{ kind: 'change_mobile', customer_id: customer.id, mobile }}
        who={customerName(customer)}
        onDone={onDone}
        onClose={onClose}
        onBack={() => setMobile('')}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = mobileSchema().safeParse(typed);
    if (parsed.success) setMobile(parsed.data);
    else setProblem('Enter the ten digits of an Indian mobile number.');
  };
  return (
    <Modal open title={`${title}: ${customerName(customer)}`} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <p>{effect}</p>
        <label htmlFor="new-mobile">New mobile number</label>
        <input
          id="new-mobile"
          className="input"
          type="tel"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          aria-describedby={problem ? 'new-mobile-problem' : undefined}
          aria-invalid={problem !== ''}
          onChange={(event) => setTyped(event.target.value)}
        />
        {problem && (
          <p id="new-mobile-problem" role="alert" className="console-error">
            {problem}
          </p>
        )}
        <Button type="submit">Show what it would do</Button>
      </form>
    </Modal>
  );
}
