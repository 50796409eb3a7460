import type { ReactNode } from 'react';
import './site.scss';

export interface SectionProps {
  /** Id of the heading, by which the section is named and linked. */
  id: string;
  title: ReactNode;
  intro?: ReactNode;
  /** Small words above the heading. */
  eyebrow?: string;
  /** What lies behind it: the page, a soft surface, or the deep blue of the brand. */
  tone?: 'plain' | 'surface' | 'brand';
  /** Heading at the start instead of in the middle. */
  start?: boolean;
  children: ReactNode;
}

/** A part of a page with its heading. */
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
