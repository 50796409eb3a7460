import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { FieldError, useField } from './field';

export interface CheckboxFieldProps {
  name: string;
  /** The label as plain text. Its errors speak for themselves in the summary, since a sentence is no name. */
  label: string;
  /** The label as shown, where it holds links. */
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
