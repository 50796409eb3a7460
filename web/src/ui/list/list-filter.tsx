import { useSearchParams } from 'react-router';
import { NativeSelectField } from '../form/native-select-field';
import { useSetFilter } from './use-list-state';

export interface ListFilterProps {
  label: string;
  /** The query parameter that holds the choice. */
  name: string;
  /** The values and their names. */
  options: Readonly<Record<string, string>>;
  /** The name of no choice; `undefined` if one value is always chosen. */
  all?: string | undefined;
  /** The value that holds while the URL names none. */
  otherwise?: string | undefined;
}

/** Limits a list to one value, kept in the URL beside the other filters. */
export function ListFilter({ label, name, options, all = 'All', otherwise }: ListFilterProps) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const value = params.get(name) ?? '';
  return (
    <NativeSelectField
      box="console-filter"
      label={label}
      options={Object.entries(options)}
      empty={otherwise === undefined ? all : undefined}
      value={value in options ? value : (otherwise ?? '')}
      onChange={(chosen) => set({ [name]: chosen })}
    />
  );
}
