import { t } from '@lingui/core/macro';
import type { ChangeEvent, ComponentPropsWithRef } from 'react';
import { asciiDigits, mobileDigits } from '@/lib/typed';
import { Field, useControl, type FieldBase, type OwnValue } from './field';

export interface TextFieldProps
  extends FieldBase, OwnValue, Omit<ComponentPropsWithRef<'input'>, 'id' | 'name' | 'value' | 'onChange' | 'prefix'> {
  /** Removes invalid characters while typing. */
  clean?: (typed: string) => string;
  prefix?: string;
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

/** A single-line text field, or a date, a number, a file or a range by its `type`. */
export function TextField({
  name,
  label,
  hideLabel,
  hint,
  optional,
  error,
  box,
  value,
  onChange,
  clean,
  prefix,
  className = '',
  type = 'text',
  ...rest
}: TextFieldProps) {
  const field = useControl({ name, value, onChange });
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    if (clean) cleanInput(event.target, clean);
    void field.onChange(event);
  };
  return (
    <Field {...{ name, label, hideLabel, hint, optional, error, box }}>
      {(control) => {
        const input = (
          <input
            {...rest}
            {...field}
            {...control}
            type={type}
            className={type === 'range' ? className : `input ${className}`}
            onChange={handleChange}
          />
        );
        if (!prefix) return input;
        return (
          <div className="input-group-box">
            <span className="input-prefix">{prefix}</span>
            {input}
          </div>
        );
      }}
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
