import type { ChangeEvent, ComponentPropsWithRef, ReactNode } from 'react';
import { useFormContext, type UseFormReturn } from 'react-hook-form';
import { FieldError, useField, type FieldBase } from './field';

export interface CheckboxFieldProps
  extends
    Pick<FieldBase, 'name' | 'label' | 'hideLabel' | 'box'>,
    Omit<ComponentPropsWithRef<'input'>, 'id' | 'name' | 'value' | 'onChange' | 'children'> {
  /** The label as shown, if it contains links. The error summary shows the errors without a label, since a sentence is no field name. */
  children?: ReactNode;
  /** For a box whose owner keeps whether it is checked. */
  onChange?: (checked: boolean) => void;
}

/** A box with its label; also one radio button of a group that is spread over the page. */
export function CheckboxField({
  name,
  label,
  hideLabel,
  box = 'field',
  children,
  onChange,
  type = 'checkbox',
  ...rest
}: CheckboxFieldProps) {
  const form = useFormContext() as UseFormReturn | null;
  const field = onChange
    ? { name, onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange(target.checked) }
    : form!.register(name!);
  const { control, error } = useField({ name, label: '' });
  return (
    <div className={box}>
      {error && <FieldError id={control.id}>{error}</FieldError>}
      <div className="check">
        <input {...rest} {...field} {...control} type={type} />
        <label className={hideLabel ? 'visually-hidden' : undefined} htmlFor={control.id}>
          {children ?? label}
        </label>
      </div>
    </div>
  );
}
