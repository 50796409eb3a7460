import type { ReactNode } from 'react';

export interface FilterFieldProps {
  /** The id of the field. */
  id: string;
  label: string;
  /** The field. */
  children: ReactNode;
}

/** A filter above a list; the label and its field never break onto separate lines. */
export function FilterField({ id, label, children }: FilterFieldProps) {
  return (
    <span className="console-filter">
      <label htmlFor={id}>{label}</label>
      {children}
    </span>
  );
}
