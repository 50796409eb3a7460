import { useEffect, useRef } from 'react';
import { Button } from '@/components/button';
import type { components } from '@/lib/api/schema.gen';
import { CONTINUE_MS, useAfter } from '../hand-off';

export interface GatewayFormProps {
  details: components['schemas']['GatewayDetails'];
}

/** The hidden form of the gateway's page. It posts itself at once; after three seconds there is a button to do it by hand. */
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
    <form ref={form} method="post" action={url} acceptCharset="utf-8" aria-label="Payment">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {slow && (
        <Button type="submit" size="lg">
          Continue
        </Button>
      )}
    </form>
  );
}
