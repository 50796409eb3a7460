import * as z from 'zod/mini';
import { maskMobile } from '@/lib/format';
import { otp } from '@/lib/validation';
import { Form, SubmitButton } from '../form/form';
import { OtpField } from '../form/otp-field';
import { useAppForm } from '../form/use-app-form';
import { Resend } from './countdown';

const schema = z.object({ otp: otp() });

export interface CodeFormProps {
  /** The ten digits to which the code was sent. */
  mobile: string;
  /** When another code may be asked for, in milliseconds since 1970. */
  resendAt: number;
  onCode: (code: string) => Promise<void>;
  onResend: () => void;
  resending: boolean;
  /** What stands before the number. */
  sent?: string;
  /** Leads back to the step before, where what is to be changed was entered. */
  onChange: () => void;
  /** What can be changed there, for assistive technology. */
  changes?: string;
  /** Puts the focus into the field, as a dialog does when it opens. */
  focused?: boolean;
}

/** The form for a code sent by SMS: to whom it went, one field, and the way to another code. */
export function CodeForm({
  mobile,
  resendAt,
  onCode,
  onResend,
  resending,
  sent = 'We have sent a 6-digit code to',
  onChange,
  changes = 'mobile number',
  focused,
}: CodeFormProps) {
  const form = useAppForm({ schema, defaultValues: { otp: '' }, onSubmit: ({ otp: code }) => onCode(code) });
  return (
    <Form form={form} label="Code by SMS">
      <p>
        {sent} <strong className="tabular text-nowrap">+91 {maskMobile(mobile)}</strong>.{' '}
        <button type="button" className="btn-text" onClick={onChange}>
          Change<span className="visually-hidden"> {changes}</span>
        </button>
      </p>
      <OtpField hint="It is valid for 10 minutes." focused={focused} />
      <Resend resendAt={resendAt} pending={resending} onResend={onResend} />
      <SubmitButton block size="lg">
        Verify
      </SubmitButton>
    </Form>
  );
}
