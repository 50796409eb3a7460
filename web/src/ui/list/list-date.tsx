import { useSearchParams } from 'react-router';
import { TextField } from '../form/text-field';
import { useSetFilter } from './use-list-state';

export interface ListDateProps {
  label: string;
  /** The query parameter that holds the day or month. */
  name: string;
  type?: 'date' | 'month';
  /** The value that holds while the URL names none. */
  otherwise?: string | undefined;
  box?: string;
}

/** Limits a list to a day or month, kept in the URL beside the other filters. */
export function ListDate({ label, name, type = 'date', otherwise = '', box = 'console-filter' }: ListDateProps) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  return (
    <TextField
      box={box}
      label={label}
      type={type}
      value={params.get(name) ?? otherwise}
      onChange={(value) => set({ [name]: value })}
    />
  );
}
