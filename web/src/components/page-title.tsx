import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';

export interface PageTitleProps {
  /** The page's heading. */
  children: ReactNode;
  /** The page's name in the document title, where it differs from the heading. */
  title?: string;
  description?: string;
  intro?: ReactNode;
  /** What stands beside the heading, such as the page's main button. */
  actions?: ReactNode;
}

/** The page's one h1; it also names the document. The router moves the focus here on a change of page. */
export function PageTitle({ children, title, description, intro, actions }: PageTitleProps) {
  usePageMeta({ title: title ?? (typeof children === 'string' ? children : undefined), description });
  return (
    <div className="page-title">
      <div className="page-title-text">
        <h1 tabIndex={-1}>{children}</h1>
        {intro && <p className="lead">{intro}</p>}
      </div>
      {actions}
    </div>
  );
}
