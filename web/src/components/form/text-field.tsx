import { t } from '@lingui/core/macro';
import type { ChangeEvent, InputHTMLAttributes, ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { asciiDigits, mobileDigits } from '@/lib/typed';
import { Field } from './field';

export interface TextFieldProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'inputMode' | 'readOnly' | 'spellCheck' | 'autoCapitalize'
> {
  name: string;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  /** Removes invalid characters while typing. */
  clean?: (typed: string) => string;
  prefix?: string;
  className?: string;
}

/** Applies `clean` to an input in place and keeps the caret position. */
function cleanInput(input: HTMLInputElement, clean: (typed: string) => string): void {
  const typed = input.value;
  const cleaned = clean(typed);
  if (cleaned === typed) return;
  const caret = clean(typed.slice(0, input.selectionStart ?? typed.length)).length;
  input.value = cleaned;
  if (input.type === 'text' || input.type === 'tel') input.setSelectionRange(caret, caret);
}

/** A single-line text field. */
export function TextField({
  name,
  label,
  hint,
  optional,
  clean,
  prefix,
  className = '',
  type = 'text',
  ...rest
}: TextFieldProps) {
  const { register } = useFormContext();
  const field = register(name);
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    if (clean) cleanInput(event.target, clean);
    return field.onChange(event);
  };
  return (
    <Field name={name} label={label} hint={hint} optional={optional}>
      {(control) => (
        <div className="input-group-box">
          {prefix && <span className="input-prefix">{prefix}</span>}
          <input
            {...rest}
            {...field}
            {...control}
            type={type}
            className={`input ${className}`}
            onChange={handleChange}
          />
        </div>
      )}
    </Field>
  );
}

/** Any usual notation, in ASCII digits; a pasted link or contact is reduced to its number. */
function mobileTyped(typed: string): string {
  const kept = asciiDigits(typed).replace(/[^\d+\-() ]/g, '');
  const number = mobileDigits(typed);
  return /^\d{10}$/.test(number) && kept !== asciiDigits(typed) ? number : kept;
}

/**
 * An Indian mobile number after a visible +91; letters are removed, any usual notation is accepted. HTML allows the
 * autofill name "username" in a text field only (html.spec.whatwg.org, "Autofill").
 */
export function MobileField({
  name = 'mobile',
  label = t`Mobile number`,
  hint,
  autoComplete = 'tel',
  readOnly,
}: Pick<TextFieldProps, 'hint' | 'autoComplete' | 'readOnly'> & { name?: string; label?: string }) {
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      type={autoComplete === 'username' ? 'text' : 'tel'}
      inputMode="tel"
      autoComplete={autoComplete}
      clean={mobileTyped}
      prefix="+91"
      readOnly={readOnly}
    />
  );
}

const withoutDigits = (typed: string) => typed.replace(/\p{Nd}/gu, '');

/** A person's name; digits are removed. */
export function NameField(props: Omit<TextFieldProps, 'clean' | 'type'>) {
  return <TextField {...props} clean={withoutDigits} />;
}

export function EmailField({
  name = 'email',
  label = t`Email`,
  hint,
  readOnly,
}: Pick<TextFieldProps, 'hint' | 'readOnly'> & { name?: string; label?: string }) {
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      readOnly={readOnly}
      type="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}
