import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { FieldError, useField } from './field';

export interface CheckboxFieldProps {
  name: string;
  /** The label as plain text. The error summary shows its errors without it, since a sentence is no field name. */
  label: string;
  /** The label as shown, if it contains links. */
  children?: ReactNode;
}

export function CheckboxField({ name, label, children }: CheckboxFieldProps) {
  const { register } = useFormContext();
  const { control, error } = useField(name, '', false);
  return (
    <div className="field">
      {error && <FieldError id={control.id}>{error}</FieldError>}
      <div className="check">
        <input {...register(name)} {...control} type="checkbox" />
        <label htmlFor={control.id}>{children ?? label}</label>
      </div>
    </div>
  );
}
