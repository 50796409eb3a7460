import { Field, useControl, type FieldBase, type OwnValue } from './field';

export interface NativeSelectFieldProps<T extends string> extends FieldBase, OwnValue<T> {
  /** The values and their names. */
  options: readonly (readonly [T, string])[];
  /** The name of the empty choice; undefined if one value is always chosen. */
  empty?: string | undefined;
  disabled?: boolean;
}

/** The browser's own list, which suits filters and dense forms. */
export function NativeSelectField<T extends string>({
  name,
  value,
  onChange,
  options,
  empty,
  disabled,
  ...rest
}: NativeSelectFieldProps<T>) {
  const field = useControl<T>({ name, value, onChange });
  return (
    <Field name={name} {...rest}>
      {(control) => (
        <select {...field} {...control} className="input" disabled={disabled}>
          {empty !== undefined && <option value="">{empty}</option>}
          {options.map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
