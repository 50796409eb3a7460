import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';

/** The heading of a page, which names the document too, with filters and buttons beside it. */
export function PageBar({ title, children }: { title: string; children?: ReactNode }) {
  usePageMeta({ title });
  return (
    <div className="console-bar">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
