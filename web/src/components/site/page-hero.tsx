import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';
import './site.scss';

export interface PageHeroProps {
  title: string;
  /** The page's name in the document title, where it differs from the heading. */
  name?: string;
  /** What search engines and previews say of the page. */
  description: string;
  eyebrow?: string;
  intro?: ReactNode;
  /** Buttons; the first is the page's main one. */
  actions?: ReactNode;
  /** A picture beside the words, decorative or with its own text. */
  art?: ReactNode;
}

/** The opening of a page of the site: its one h1, a sentence, the main action and a picture. */
export function PageHero({ title, name, description, eyebrow, intro, actions, art }: PageHeroProps) {
  usePageMeta({ title: name ?? title, description });
  return (
    <div className={`page-hero ${art ? 'page-hero-split' : ''}`}>
      <div className="container">
        <div className="page-hero-text">
          {eyebrow && <p className="eyebrow">{eyebrow}</p>}
          <h1 tabIndex={-1} className="display">
            {title}
          </h1>
          {intro && <p className="lead">{intro}</p>}
          {actions && <div className="actions">{actions}</div>}
        </div>
        {art && <div className="page-hero-art">{art}</div>}
      </div>
    </div>
  );
}
