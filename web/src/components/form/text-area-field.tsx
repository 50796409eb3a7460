import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { Field } from './field';

export interface TextAreaFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  rows?: number;
}

/** A multi-line text field. */
export function TextAreaField({ name, label, hint, rows = 6 }: TextAreaFieldProps) {
  const { register } = useFormContext();
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => <textarea {...register(name)} {...control} rows={rows} className="input input-area" />}
    </Field>
  );
}
