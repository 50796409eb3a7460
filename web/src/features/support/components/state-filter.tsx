import { useSearchParams } from 'react-router';
import { FilterField } from './filter-field';

export interface StateFilterProps<State extends string> {
  id: string;
  label: string;
  names: Record<State, string>;
  value: State | undefined;
  /** The query parameter that holds the choice. */
  param?: string;
}

/** Limits a list to one state, kept in the URL. */
export function StateFilter<State extends string>({
  id,
  label,
  names,
  value,
  param = 'state',
}: StateFilterProps<State>) {
  const [, setParams] = useSearchParams();
  const choose = (chosen: string) =>
    setParams(
      (before) => {
        if (chosen) before.set(param, chosen);
        else before.delete(param);
        before.delete('page');
        return before;
      },
      { replace: true },
    );
  return (
    <FilterField id={id} label={label}>
      <select id={id} className="input" value={value ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">All</option>
        {(Object.entries(names) as [State, string][]).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </FilterField>
  );
}
