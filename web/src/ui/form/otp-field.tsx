import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import { asciiDigits, codeDigits } from '@/lib/typed';
import { TextField } from './text-field';

interface OtpCredential extends Credential {
  code: string;
}

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/** What is typed stays digit by digit; a pasted SMS is reduced to its code. */
function codeTyped(typed: string): string {
  const digits = asciiDigits(typed);
  if (/^[\d -]*$/.test(digits)) return digits.replace(/-/g, ' ');
  const code = codeDigits(typed);
  return /^\d{6}$/.test(code) ? code : digits.replace(/[^\d ]/g, '');
}

export interface OtpFieldProps {
  name?: string;
  label?: string;
  hint?: string;
  /** Focuses the field when it appears. */
  focused?: boolean;
  /** How many codes were sent since the first. A new one empties the field, because the code before is no longer valid. */
  sends?: number;
}

/** A six-digit code in one field: typed, pasted, suggested by the keyboard, or read from the SMS if the browser can. */
export function OtpField({ name = 'otp', label = t`Verification code`, hint, focused, sends = 0 }: OtpFieldProps) {
  const { setValue, setFocus } = useFormContext();
  useEffect(() => {
    if (focused) setFocus(name);
  }, [focused, name, setFocus]);
  useEffect(() => {
    if (sends > 0) setValue(name, '');
  }, [sends, name, setValue]);
  // One request per code: a browser answers each request with one SMS.
  useEffect(() => {
    if (!('OTPCredential' in window)) return undefined;
    const controller = new AbortController();
    const request: OtpRequest = { otp: { transport: ['sms'] }, signal: controller.signal };
    navigator.credentials.get(request).then(
      (credential) => {
        if (credential) setValue(name, (credential as OtpCredential).code, { shouldDirty: true });
      },
      () => undefined, // Refused or unavailable: the user types the code.
    );
    return () => controller.abort();
  }, [name, setValue, sends]);
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
      clean={codeTyped}
      className="input-code"
    />
  );
}
