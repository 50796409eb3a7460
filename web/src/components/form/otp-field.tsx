import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import { TextField } from './text-field';

interface OtpCredential extends Credential {
  code: string;
}

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

const digitsAndSpaces = (typed: string) => typed.replace(/[^\d ]/g, '');

export interface OtpFieldProps {
  name?: string;
  label?: string;
  hint?: string;
  /** Focuses the field when it appears. */
  focused?: boolean;
}

/** A six-digit code in one field: typed, pasted, suggested by the keyboard, or read from the SMS if the browser can. */
export function OtpField({ name = 'otp', label = t`Verification code`, hint, focused }: OtpFieldProps) {
  const { setValue, setFocus } = useFormContext();
  useEffect(() => {
    if (focused) setFocus(name);
  }, [focused, name, setFocus]);
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
  }, [name, setValue]);
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
      clean={digitsAndSpaces}
      className="input-code"
    />
  );
}
