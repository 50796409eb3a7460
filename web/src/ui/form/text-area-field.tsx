import type { ComponentPropsWithRef } from 'react';
import { Field, useControl, type FieldBase, type OwnValue } from './field';

type TextAreaFieldProps = FieldBase &
  OwnValue &
  Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'name' | 'value' | 'onChange'>;

/** A multi-line text field. */
export function TextAreaField({
  name,
  label,
  hideLabel,
  hint,
  error,
  box,
  value,
  onChange,
  rows = 6,
  className = 'input input-area',
  ...rest
}: TextAreaFieldProps) {
  const field = useControl({ name, value, onChange });
  return (
    <Field {...{ name, label, hideLabel, hint, error, box }}>
      {(control) => <textarea {...rest} {...field} {...control} rows={rows} className={className} />}
    </Field>
  );
}
