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

const STANDBY_HEADER = 'X-Read-From';
let standby = false;
const standbyListeners = new Set<() => void>();

/** Notes whether a standby gave an answer because the main database is away: it may be some seconds old, and changes are refused. */
export function noteStandby(answer: Response): void {
  const from = answer.headers.get(STANDBY_HEADER) === 'standby';
  if (!answer.ok || from === standby) return;
  standby = from;
  for (const tell of standbyListeners) tell();
}

function followStandby(onChange: () => void) {
  standbyListeners.add(onChange);
  return () => standbyListeners.delete(onChange);
}

/** Whether a standby gave the last answer that was no refusal. */
export function useStandby(): boolean {
  return useSyncExternalStore(
    followStandby,
    () => standby,
    () => false,
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
