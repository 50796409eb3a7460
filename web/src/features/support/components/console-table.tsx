import type { ReactNode } from 'react';

export interface ConsoleTableProps {
  caption: string;
  heads: string[];
  /** Too wide for anything below a desktop screen, where it is shown as cards, as on a phone. */
  wide?: boolean;
  /** All columns but the first hold numbers, which end on one line. */
  numbers?: boolean;
  /** Rows whose cells repeat their column heading in `data-label`, for phones. */
  children: ReactNode;
}

/** A table with its own horizontal scrolling, shown as cards on a phone. */
export function ConsoleTable({ caption, heads, wide, numbers, children }: ConsoleTableProps) {
  const className = wide ? 'console-scroll console-wide' : 'console-scroll';
  return (
    // What scrolls sideways must be reached by the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={className} role="region" aria-label={caption} tabIndex={0}>
      <table className={numbers ? 'console-table console-numbers' : 'console-table'}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
