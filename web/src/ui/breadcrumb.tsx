import { t } from '@lingui/core/macro';
import { Link } from 'react-router';

export interface Crumb {
  label: string;
  to?: string;
}

/** The path to this page; the last entry is the page itself. */
export function Breadcrumb({ items }: { items: Crumb[] }) {
  return (
    <nav aria-label={t`Breadcrumb`}>
      <ol className="breadcrumb-list">
        {items.map((item) => (
          <li key={item.label}>
            {item.to ? <Link to={item.to}>{item.label}</Link> : <span aria-current="page">{item.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
