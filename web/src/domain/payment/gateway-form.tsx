import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/button';
import type { components } from '@/lib/api/schema.gen';

/** Delay in milliseconds before the button to continue by hand appears. */
export const CONTINUE_MS = 3000;

/** True once the delay has passed. */
function useAfter(delay: number, running: boolean): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(() => setOver(true), delay);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [delay, running]);
  return over;
}

export interface GatewayFormProps {
  details: components['schemas']['GatewayDetails'];
}

/** The hidden form for the gateway's page. It submits itself at once; after three seconds a button appears to submit it by hand. */
export function GatewayForm({ details: { payment_url: url, ...fields } }: GatewayFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const posted = useRef(false);
  const slow = useAfter(CONTINUE_MS, true);

  useEffect(() => {
    if (posted.current) return;
    posted.current = true;
    form.current?.submit();
  }, []);

  return (
    <form ref={form} method="post" action={url} acceptCharset="utf-8" aria-label={t`Payment`}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {slow && <Button type="submit" size="lg">{t`Continue`}</Button>}
    </form>
  );
}
