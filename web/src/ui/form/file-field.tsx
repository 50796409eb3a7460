import type { ChangeEvent, ComponentPropsWithRef } from 'react';
import { Field, type FieldBase } from './field';

interface FileFieldProps
  extends
    Omit<FieldBase, 'name'>,
    Pick<ComponentPropsWithRef<'input'>, 'ref' | 'accept' | 'multiple' | 'disabled' | 'tabIndex' | 'className'> {
  /** Shows the name of the chosen file; otherwise the same file can be chosen again. */
  keepsName?: boolean;
  onChange: (files: File[]) => void;
}

/** Chooses files, each time anew. */
export function FileField({
  keepsName,
  onChange,
  className = 'input',
  ref,
  accept,
  multiple,
  disabled,
  tabIndex,
  ...rest
}: FileFieldProps) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChange([...(target.files ?? [])]);
    if (!keepsName) target.value = '';
  };
  return (
    <Field {...rest}>
      {(control) => (
        <input
          {...control}
          {...{ ref, accept, multiple, disabled, tabIndex, className }}
          type="file"
          onChange={choose}
        />
      )}
    </Field>
  );
}
