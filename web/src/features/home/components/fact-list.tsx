import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import type { ComponentType, SVGProps } from 'react';
import { Link } from 'react-router';

export interface Fact {
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  /** A short line above the title. */
  stage?: string;
  title: string;
  text: string;
  link?: { to: string; text: string };
}

export interface FactListProps {
  facts: readonly Fact[];
  /** A panel of cells, filled cells on the brand's blue, an open grid, or rows with their links at the end. */
  look: 'panel' | 'filled' | 'open' | 'rows';
  /** Cells in a row on wide screens. */
  columns?: 3 | 4;
  ordered?: boolean;
}

/** Facts with an icon each; on a phone always a dense list. */
export function FactList({ facts, look, columns = 3, ordered }: FactListProps) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List className={`facts facts-${look} facts-of-${columns}`}>
      {facts.map(({ icon: Icon, stage, title, text, link }) => (
        <li key={title}>
          <Icon />
          <div>
            {stage && <p className="fact-stage">{stage}</p>}
            <h3>{title}</h3>
            <p className="text-muted">{text}</p>
          </div>
          {link && (
            <Link to={link.to} className="arrow-link">
              {link.text} <ArrowIcon />
            </Link>
          )}
        </li>
      ))}
    </List>
  );
}
