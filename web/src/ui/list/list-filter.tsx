import { useSearchParams } from 'react-router';
import { NativeSelectField } from '../form/native-select-field';
import { useSetFilter } from './use-list-state';

export interface ListFilterProps {
  label: string;
  /** The query parameter that holds the choice. */
  name: string;
  /** The values and their names; as pairs, where values are numbers in an order of their own. */
  options: Readonly<Record<string, string>> | readonly (readonly [value: string, name: string])[];
  /** The name of no choice; `undefined` if one value is always chosen. */
  all?: string | undefined;
  /** The value that holds while the URL names none. */
  otherwise?: string | undefined;
  /** Other query parameters that a choice replaces. */
  replaces?: readonly string[];
}

/** Limits a list to one value, kept in the URL beside the other filters. */
export function ListFilter({ label, name, options, all = 'All', otherwise, replaces = [] }: ListFilterProps) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const value = params.get(name) ?? '';
  const pairs = Array.isArray(options) ? (options as [string, string][]) : Object.entries(options);
  return (
    <NativeSelectField
      box="console-filter"
      label={label}
      options={pairs}
      empty={otherwise === undefined ? all : undefined}
      value={pairs.some(([one]) => one === value) ? value : (otherwise ?? '')}
      onChange={(chosen) => set({ ...Object.fromEntries(replaces.map((one) => [one, ''])), [name]: chosen })}
    />
  );
}
