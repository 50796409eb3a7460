import type { ReactNode } from 'react';
import './site.scss';

export interface SectionProps {
  /** The id of the heading, which names the section and is its link target. */
  id: string;
  title: ReactNode;
  intro?: ReactNode;
  /** A short line above the heading. */
  eyebrow?: string;
  /** The background: that of the page, a soft surface, or the brand's deep blue. */
  tone?: 'plain' | 'surface' | 'brand';
  /** Aligns the heading with the start instead of the centre. */
  start?: boolean;
  children: ReactNode;
}

/** A section of a page with its heading. */
export function Section({ id, title, intro, eyebrow, tone = 'plain', start, children }: SectionProps) {
  return (
    <section className={`site-section site-section-${tone}`} aria-labelledby={id}>
      <div className="container">
        <div className={`section-head ${start ? 'section-head-start' : ''}`}>
          {eyebrow && <p className="eyebrow">{eyebrow}</p>}
          <h2 id={id}>{title}</h2>
          {intro && <p className="lead">{intro}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}
