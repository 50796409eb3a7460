import { useId, type ReactNode } from 'react';

export interface CardProps {
  title: string;
  /** Content next to the title, e.g. the card's main button. */
  action?: ReactNode;
  children: ReactNode;
}

/** A dashboard section with its own heading. */
export function Card({ title, action, children }: CardProps) {
  const id = useId();
  return (
    <section className="panel dash-card" aria-labelledby={id}>
      <div className="dash-card-head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
