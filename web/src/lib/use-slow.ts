import { useEffect, useState } from 'react';

/** After this long a screen says that the work continues. */
const SLOW_MS = 10_000;
/** After this long it offers a retry. */
const STUCK_MS = 30_000;

export type Patience = 'fine' | 'slow' | 'stuck';

/** The state of something pending: fine, slow after 10 seconds, stuck after 30. */
export function useSlow(pending: boolean): Patience {
  const [patience, setPatience] = useState<Patience>('fine');
  useEffect(() => {
    if (!pending) return undefined;
    const slow = setTimeout(() => setPatience('slow'), SLOW_MS);
    const stuck = setTimeout(() => setPatience('stuck'), STUCK_MS);
    return () => {
      clearTimeout(slow);
      clearTimeout(stuck);
      setPatience('fine');
    };
  }, [pending]);
  return pending ? patience : 'fine';
}
