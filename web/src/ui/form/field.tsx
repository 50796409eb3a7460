import { t } from '@lingui/core/macro';
import ErrorIcon from 'bootstrap-icons/icons/exclamation-circle-fill.svg?component';
import { useEffect, useId, type ChangeEvent, type ReactNode } from 'react';
import { useFormContext, type UseFormReturn } from 'react-hook-form';
import { fieldId, useOptionalFormUi } from './form';

/** The attributes that a control takes from its field: its id and the references to label, hint and error. */
export interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** What all fields have in common. */
export interface FieldBase {
  /** The field's name in its form; optional for a field whose owner keeps the value. */
  name?: string;
  label: string;
  /** Shows the label to assistive technology only. */
  hideLabel?: boolean;
  hint?: ReactNode;
  optional?: boolean;
  /** The error of a field whose owner keeps the value. */
  error?: ReactNode;
  /** The class of the box around label and control, which styles the label too unless it begins with `field`. */
  box?: string;
}

export interface FieldProps extends FieldBase {
  children: (control: ControlProps) => ReactNode;
}

/** A value that the owner of the field keeps, such as a filter in the URL; without it the form keeps the value. */
export interface OwnValue<T extends string = string> {
  value?: T | undefined;
  onChange?: ((value: T) => void) | undefined;
}

/** The form around a field; null for a field outside a form. */
const useOptionalForm = () => useFormContext() as UseFormReturn | null;

/** Connects a control with its form, or with the value that its owner keeps. */
export function useControl<T extends string>({ name = '', value, onChange }: OwnValue<T> & { name?: string }) {
  const form = useOptionalForm();
  if (!onChange) return form!.register(name);
  return {
    name: name || undefined,
    value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onChange(target.value as T),
  };
}

/** Connects one field: ids, error text, and its label for the error summary. */
export function useField({ name, label, hint, error: own }: Omit<FieldBase, 'hideLabel' | 'optional' | 'box'>) {
  const ui = useOptionalFormUi();
  const form = useOptionalForm();
  const ownId = useId();
  const error = own || (name && form?.getFieldState(name, form.formState).error?.message);
  const id = ui && name ? fieldId(ui.id, name) : ownId;
  useEffect(() => {
    if (name) ui?.labels.set(name, label);
  }, [label, name, ui]);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control: ControlProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  };
  return { control, error };
}

/** The error message of a field. It is an alert where no error summary announces it. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  const summary = useOptionalFormUi()?.summary;
  return (
    <p className="field-error" id={`${id}-error`} role={summary ? undefined : 'alert'}>
      <ErrorIcon />
      <span>
        <span className="visually-hidden">{t`Error:`} </span>
        {children}
      </span>
    </p>
  );
}

/** Label, hint, error and control, in this order. */
export function Field({ label, hideLabel, hint, optional, box = 'field', children, ...rest }: FieldProps) {
  const { control, error } = useField({ label, hint, ...rest });
  const labelClass = box.startsWith('field') ? 'field-label' : undefined;
  return (
    <div className={box}>
      <label className={hideLabel ? 'visually-hidden' : labelClass} htmlFor={control.id} id={`${control.id}-label`}>
        {label} {optional && <span className="field-optional">{t`(optional)`}</span>}
      </label>
      {hint && (
        <div className="field-hint" id={`${control.id}-hint`}>
          {hint}
        </div>
      )}
      {error && <FieldError id={control.id}>{error}</FieldError>}
      {children(control)}
    </div>
  );
}
