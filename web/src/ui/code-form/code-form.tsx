import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import * as z from 'zod/mini';
import { formatMobile } from '@/lib/format';
import { otp } from '@/lib/validation';
import { Form, SubmitButton } from '../form/form';
import { OtpField } from '../form/otp-field';
import { useAppForm } from '../form/use-app-form';
import { Resend } from './countdown';

const schema = z.object({ otp: otp() });

export interface CodeFormProps {
  /** The ten digits to which the code was sent. */
  mobile: string;
  /** When another code can be requested, in milliseconds since 1970. */
  resendAt: number;
  onCode: (code: string) => Promise<void>;
  /** Requests another code; calls `onSent` once it was sent. */
  onResend: (onSent: () => void) => void;
  resending: boolean;
  /** Why the last request for another code failed; null if it did not. */
  resendProblem: unknown;
  /** The text before the number. */
  sent?: string;
  /** Returns to the previous step, so that the user can correct its input. */
  onChange: () => void;
  /** What can be changed there, for assistive technology. */
  changes?: string;
  /** Focuses the field when the form appears, e.g. in a dialog. */
  focused?: boolean;
}

/** The form for a code sent by SMS: the number it was sent to, one field, and a button to request another code. */
export function CodeForm({
  mobile,
  resendAt,
  onCode,
  onResend,
  resending,
  resendProblem,
  sent = t`We have sent a 6-digit code to`,
  onChange,
  changes = t`mobile number`,
  focused,
}: CodeFormProps) {
  const form = useAppForm({ schema, defaultValues: { otp: '' }, onSubmit: ({ otp: code }) => onCode(code) });
  const [sends, setSends] = useState(0);
  const handleResend = () => onResend(() => setSends((count) => count + 1));
  return (
    <Form form={form} label={t`Code by SMS`}>
      <p>
        {sent} <strong className="tabular text-nowrap">{formatMobile(mobile)}</strong>.{' '}
        <button type="button" className="btn-text" onClick={onChange}>
          <Trans>
            <Trans>
              Change<span className="visually-hidden"> {changes}</span>
            </Trans>
          </Trans>
        </button>
      </p>
      <OtpField hint={t`It is valid for 10 minutes.`} focused={focused} sends={sends} />
      <Resend resendAt={resendAt} pending={resending} onResend={handleResend} problem={resendProblem} />
      <SubmitButton block size="lg">{t`Verify`}</SubmitButton>
    </Form>
  );
}
