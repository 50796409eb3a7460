import { useEffect, useState } from 'react';
import { Instant } from '@/ui/instant';
import { formatInstant } from '@/lib/format';
import { REFRESH_MS } from '../api/support';
import { ago } from '../customers/customer-words';

/** The current time in milliseconds, updated only when the page refreshes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** An API instant in Indian time, and its distance from `now`, in milliseconds. */
export function When({ at, now, seconds = false }: { at: string; now: number; seconds?: boolean }) {
  const instant = formatInstant(at);
  return (
    <Instant at={at}>
      <span className="when-at">{seconds ? instant.replace(' IST', `:${at.slice(17, 19)} IST`) : instant}</span>{' '}
      <span className="when-ago">{ago(at, now)}</span>
    </Instant>
  );
}
