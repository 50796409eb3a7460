import type { ReactNode } from 'react';

export interface FilterFieldProps {
  /** The id of the field. */
  id: string;
  label: string;
  /** The field. */
  children: ReactNode;
}

/** A filter above a list: its label stays beside its field wherever the line breaks. */
export function FilterField({ id, label, children }: FilterFieldProps) {
  return (
    <span className="console-filter">
      <label htmlFor={id}>{label}</label>
      {children}
    </span>
  );
}
