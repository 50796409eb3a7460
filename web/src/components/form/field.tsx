import { t } from '@lingui/core/macro';
import ErrorIcon from 'bootstrap-icons/icons/exclamation-circle-fill.svg?component';
import { useEffect, type ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { fieldId, useFormUi } from './form';

/** The attributes that a control takes from its field: its id and the references to label, hint and error. */
export interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** Connects one field: ids, error text, and its label for the error summary. */
export function useField(name: string, label: string, hasHint: boolean) {
  const { id: formId, labels } = useFormUi();
  const { getFieldState, formState } = useFormContext();
  const error = getFieldState(name, formState).error?.message;
  const id = fieldId(formId, name);
  useEffect(() => {
    labels.set(name, label);
  }, [label, labels, name]);
  const describedBy = [hasHint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control: ControlProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  };
  return { control, error };
}

/** The error message of a field. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="field-error" id={`${id}-error`}>
      <ErrorIcon />
      <span>
        <span className="visually-hidden">{t`Error:`} </span>
        {children}
      </span>
    </p>
  );
}

/** Label, hint, error and control, in this order. */
export function Field({ name, label, hint, optional, children }: FieldProps) {
  const { control, error } = useField(name, label, Boolean(hint));
  return (
    <div className="field">
      <label className="field-label" htmlFor={control.id} id={`${control.id}-label`}>
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
