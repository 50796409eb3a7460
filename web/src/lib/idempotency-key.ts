import { useMemo } from 'react';

/** A fresh key for one attempt: 128 random bits in hex. What is sent twice with one key happens once. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keys for what a form sends: the same content, sent again after a failure, has the same key until `done`. */
export function useRepeatKey(): { of: (content: string) => string; done: () => void } {
  return useMemo(() => {
    let last: { content: string; key: string } | undefined;
    return {
      of: (content) => {
        if (last?.content !== content) last = { content, key: newIdempotencyKey() };
        return last.key;
      },
      done: () => {
        last = undefined;
      },
    };
  }, []);
}
