import type { ReactNode } from 'react';
import { formatInstant } from '@/lib/format';

export interface InstantProps {
  /** An instant of the API, which has more fractions of a second than HTML allows. */
  at: string;
  className?: string;
  /** Instead of date and time in India. */
  children?: ReactNode;
}

/** An instant, for people and machines. */
export function Instant({ at, className, children = formatInstant(at) }: InstantProps) {
  return (
    <time className={className} dateTime={at.replace(/(\.\d{3})\d+/, '$1')}>
      {children}
    </time>
  );
}
