import type { ReactNode } from 'react';
import './site.scss';

export interface MediaRowProps {
  /** Id of the heading. */
  id: string;
  title: string;
  /** Puts the picture before the words on wide screens. */
  flipped?: boolean;
  /** Without it the words take the whole width. */
  picture?: ReactNode;
  children: ReactNode;
}

/** Words on one side, a picture on the other. */
export function MediaRow({ id, title, flipped, picture, children }: MediaRowProps) {
  return (
    <section
      className={`media-row ${flipped ? 'media-row-flipped' : ''} ${picture ? '' : 'media-row-words'}`}
      aria-labelledby={id}
    >
      <div className="media-row-text">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {picture && <div>{picture}</div>}
    </section>
  );
}
