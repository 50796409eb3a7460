import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';

export interface PageTitleProps {
  /** The page's heading. */
  children: ReactNode;
  /** The page's name in the document title, if it differs from the heading. */
  title?: string;
  description?: string;
  intro?: ReactNode;
  /** Shown next to the heading, e.g. the page's primary button. */
  actions?: ReactNode;
}

/** The page's only h1; it also sets the document title. The router moves the focus here when the page changes. */
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
