import type { ReactNode } from 'react';
import './site.scss';

export interface SectionProps {
  /** The id of the heading, which names the section and is its link target. */
  id: string;
  title: ReactNode;
  intro?: ReactNode;
  /** The background: that of the page, a soft surface, or the brand's deep blue. */
  tone?: 'plain' | 'surface' | 'brand';
  /** Aligns the heading with the start instead of the centre. */
  start?: boolean;
  /** Puts the heading beside the content on wide screens. */
  side?: boolean;
  children: ReactNode;
}

/** A section of a page with its heading. */
export function Section({ id, title, intro, tone = 'plain', start, side, children }: SectionProps) {
  return (
    <section className={`site-section site-section-${tone}`} aria-labelledby={id}>
      <div className={`container ${side ? 'section-side' : ''}`}>
        <div className={`section-head ${start || side ? 'section-head-start' : ''}`}>
          <h2 id={id}>{title}</h2>
          {intro && <p className="lead">{intro}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}
