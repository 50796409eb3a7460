import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { FieldError, useField } from './field';

export interface ChoicesFieldProps {
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: ReactNode])[];
  /** Several may be chosen. */
  multiple?: boolean;
  className?: string;
}

/** Radio buttons or boxes under a heading. */
export function ChoicesField({ name, label, options, multiple, className = 'form-choices' }: ChoicesFieldProps) {
  const { register } = useFormContext();
  const { control, error } = useField({ name, label });
  return (
    <fieldset className={className} id={control.id} aria-describedby={control['aria-describedby']} tabIndex={-1}>
      <legend>{label}</legend>
      {error && <FieldError id={control.id}>{error}</FieldError>}
      {options.map(([value, title]) => (
        <label key={value}>
          <input {...register(name)} type={multiple ? 'checkbox' : 'radio'} value={value} /> {title}
        </label>
      ))}
    </fieldset>
  );
}
