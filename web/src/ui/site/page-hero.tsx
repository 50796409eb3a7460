import type { ReactNode } from 'react';
import { usePageMeta } from '@/lib/page-meta';
import './site.scss';

export interface PageHeroProps {
  title: string;
  /** The page's name in the document title, if it differs from the heading. */
  name?: string;
  /** The description for search engines and link previews. */
  description: string;
  eyebrow?: string;
  intro?: ReactNode;
  /** Buttons; the first is the primary one. */
  actions?: ReactNode;
  /** A picture next to the text, decorative or with its own alternative text. */
  art?: ReactNode;
}

/** The top of a public page: its only h1, a sentence, the primary action and a picture. */
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
