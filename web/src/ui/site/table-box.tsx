import type { ReactNode } from 'react';

/** A table that scrolls horizontally on narrow screens, also by keyboard. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <div className="table-box" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
