import { FilterField } from './filter-field';
import { SEARCH_MAX } from './use-list-state';
import { useListSearch } from './use-list-search';

export interface ListSearchProps {
  id: string;
  label: string;
  placeholder?: string;
}

/** Narrows a list to what contains a text, kept in the URL once typing pauses. */
export function ListSearch({ id, label, placeholder }: ListSearchProps) {
  const { typed, setTyped } = useListSearch(200);
  return (
    <FilterField id={id} label={label}>
      <input
        id={id}
        type="search"
        className="input"
        autoComplete="off"
        maxLength={SEARCH_MAX}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FilterField>
  );
}
