import { Button, type ButtonProps } from '@/ui/button';

export interface OfferProps extends ButtonProps {
  /** What it acts on, for assistive technology; it may begin with a colon. */
  of?: string;
}

/** A small button for an act. */
export function Offer({ of, children, ...button }: OfferProps) {
  return (
    <Button size="sm" variant="outline" {...button}>
      {children}
      {of && <span className="visually-hidden">{of.startsWith(':') ? of : ` ${of}`}</span>}
    </Button>
  );
}
