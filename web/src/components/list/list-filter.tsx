import { useSearchParams } from 'react-router';
import { FilterField } from './filter-field';
import { useSetFilter } from './use-list-state';

export interface ListFilterProps {
  id: string;
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
export function ListFilter({ id, label, name, options, all = 'All', otherwise }: ListFilterProps) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const value = params.get(name) ?? '';
  return (
    <FilterField id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value in options ? value : (otherwise ?? '')}
        onChange={(event) => set({ [name]: event.target.value })}
      >
        {otherwise === undefined && <option value="">{all}</option>}
        {Object.entries(options).map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </FilterField>
  );
}
