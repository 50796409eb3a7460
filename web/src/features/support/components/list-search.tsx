import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';
import { FilterField } from './filter-field';

export interface ListSearchProps {
  id: string;
  label: string;
  placeholder: string;
}

/** Narrows a list to what contains a text, kept in the URL once typing pauses. */
export function ListSearch({ id, label, placeholder }: ListSearchProps) {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get('search') ?? '');
  const search = useDebounced(typed.trim(), 200);
  useEffect(() => {
    setParams(
      (before) => {
        if ((before.get('search') ?? '') === search) return before;
        before.delete('page');
        if (search) before.set('search', search);
        else before.delete('search');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [search, setParams]);
  return (
    <FilterField id={id} label={label}>
      <input
        id={id}
        type="search"
        className="input"
        autoComplete="off"
        maxLength={100}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FilterField>
  );
}
