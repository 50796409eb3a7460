import type { ReactNode } from 'react';
import './site.scss';

export interface MediaRowProps {
  /** Id of the heading. */
  id: string;
  title: string;
  /** 3 for a row inside a section with its own heading. */
  level?: 2 | 3;
  /** Puts the picture before the words on wide screens. */
  flipped?: boolean;
  picture: ReactNode;
  children: ReactNode;
}

/** Words on one side, a picture on the other. */
export function MediaRow({ id, title, level = 2, flipped, picture, children }: MediaRowProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={`media-row ${flipped ? 'media-row-flipped' : ''}`} aria-labelledby={id}>
      <div className="media-row-text">
        <Heading id={id}>{title}</Heading>
        {children}
      </div>
      <div>{picture}</div>
    </section>
  );
}
