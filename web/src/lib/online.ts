import { useSyncExternalStore } from 'react';

function follow(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** Whether the browser has a network at all; that says nothing about whether our server answers. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  );
}

const PROBE_MS = 3_000;

/** Whether the site can be reached, whatever the browser says of its network. */
export async function serverAnswers(signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
    return (await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal: limit })).ok;
  } catch {
    return false;
  }
}
