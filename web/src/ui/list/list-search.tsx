import { TextField } from '../form/text-field';
import { SEARCH_MAX } from './use-list-state';
import { useListSearch } from './use-list-search';

export interface ListSearchProps {
  label: string;
  /** The query parameter that holds the text. */
  name?: string;
  placeholder?: string;
}

/** Narrows a list to what contains a text, kept in the URL once typing pauses. */
export function ListSearch({ label, name, placeholder }: ListSearchProps) {
  const { typed, setTyped } = useListSearch(200, name);
  return (
    <TextField
      box="console-filter"
      label={label}
      type="search"
      autoComplete="off"
      maxLength={SEARCH_MAX}
      placeholder={placeholder}
      value={typed}
      onChange={setTyped}
    />
  );
}
