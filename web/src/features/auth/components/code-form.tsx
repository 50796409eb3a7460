import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { OtpField } from '@/components/form/otp-field';
import { useAppForm } from '@/components/form/use-app-form';
import { otp } from '@/lib/validation';
import { maskMobile, type PendingCode } from '../state';
import { Resend } from './countdown';

const schema = z.object({ otp: otp() });

export interface CodeFormProps {
  pending: PendingCode;
  onCode: (code: string) => Promise<void>;
  onResend: () => void;
  resending: boolean;
  /** Leads back to where the mobile number is entered. */
  onChange: () => void;
  /** Puts the focus into the field, as a dialog does when it opens. */
  focused?: boolean;
}

/** The form for a code sent by SMS: to whom it went, one field, and the way to another code. */
export function CodeForm({ pending, onCode, onResend, resending, onChange, focused }: CodeFormProps) {
  const form = useAppForm({ schema, defaultValues: { otp: '' }, onSubmit: ({ otp: code }) => onCode(code) });
  return (
    <Form form={form} label="Code by SMS">
      <p>
        We have sent a 6-digit code to <strong className="tabular text-nowrap">+91 {maskMobile(pending.mobile)}</strong>.{' '}
        <button type="button" className="btn-text" onClick={onChange}>
          Change<span className="visually-hidden"> mobile number</span>
        </button>
      </p>
      <OtpField hint="It is valid for 10 minutes." focused={focused} />
      <Resend resendAt={pending.resendAt} pending={resending} onResend={onResend} />
      <SubmitButton block size="lg">
        Verify
      </SubmitButton>
    </Form>
  );
}
