import { endSession, getSession } from '@/lib/session/session';
import { language } from '@/lib/language';
import { noteStandby } from '@/lib/online';
import { toast } from '@/lib/toast';
import { sendChecked } from './browser-check';
import { UNAUTHORIZED } from './errors';

/** The common prefix of all API paths. */
export const API_PREFIX = '/api/franchise';
/** A call is aborted after five minutes; screens offer a retry long before. */
const TIMEOUT_MS = 300_000;

const XSRF_COOKIE = 'XSRF-TOKEN';
const XSRF_HEADER = 'X-XSRF-TOKEN';
const REFRESH_LOCK = 'franchise360-refresh';
const REFRESHED_KEY = 'franchise360-refreshed-at';
/** Calls whose 401 refers to their own input, not to the session. */
const signInPaths = ['/login', '/refresh', '/logout', '/register', '/mobile/', '/otp/', '/password/'];

/** The cookie's value; over https its name begins with `__Host-`. */
export function cookie(name: string): string {
  const parts = document.cookie.split('; ');
  const found =
    parts.find((part) => part.startsWith(`__Host-${name}=`)) ?? parts.find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(found.indexOf('=') + 1)) : '';
}

function prepare(request: Request): Request {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const prepared = new Request(request, { credentials: 'include', signal });
  prepared.headers.set('Accept', 'application/json');
  prepared.headers.set('Accept-Language', language);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const token = cookie(XSRF_COOKIE);
    if (token) prepared.headers.set(XSRF_HEADER, token);
  }
  return prepared;
}

function isSignInCall(url: string): boolean {
  const path = new URL(url).pathname.slice(API_PREFIX.length);
  return signInPaths.some((prefix) => path.startsWith(prefix));
}

function refreshedAt(): number {
  try {
    return Number(localStorage.getItem(REFRESHED_KEY) ?? 0);
  } catch {
    return 0;
  }
}

type Refreshed = 'renewed' | 'ended' | 'unknown';

async function refreshOnce(origin: string, since: number): Promise<Refreshed> {
  if (refreshedAt() > since) return 'renewed';
  const answer = await fetch(prepare(new Request(`${origin}${API_PREFIX}/refresh`, { method: 'POST' })));
  if (answer.ok) {
    try {
      localStorage.setItem(REFRESHED_KEY, String(Date.now()));
    } catch {
      // Without storage, other tabs also renew the session.
    }
    return 'renewed';
  }
  return answer.status < 500 && answer.status !== 429 ? 'ended' : 'unknown';
}

async function refreshAlone(origin: string, since: number): Promise<Refreshed> {
  if (typeof navigator === 'undefined' || !('locks' in navigator)) return refreshOnce(origin, since);
  return navigator.locks.request(REFRESH_LOCK, () => refreshOnce(origin, since));
}

let running: Promise<Refreshed> | null = null;

/** Renews the session once for all calls and tabs that need it: a refresh token can be used only once. */
function refresh(origin: string, since: number): Promise<Refreshed> {
  running ??= refreshAlone(origin, since).finally(() => {
    running = null;
  });
  return running;
}

/**
 * `fetch` for the API client: cookies, XSRF header, time-out, and on a 401 one silent renewal of the
 * session. If that fails, the user is signed out with a message, and the guards redirect to the login screen.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const started = Date.now();
  const again = request.clone();
  const answer = await sendChecked(request, (one) => fetch(prepare(one)));
  noteStandby(answer);
  if (answer.status !== 401 || isSignInCall(request.url)) return answer;

  const renewed = await refresh(new URL(request.url).origin, started);
  if (renewed === 'unknown') return answer;
  const second = renewed === 'renewed' ? await fetch(prepare(again)) : answer;
  if (second.status === 401 && getSession().isAuthenticated) {
    endSession(UNAUTHORIZED);
    // Shown here, because the calling component may be unmounted once the session has ended.
    toast.error(UNAUTHORIZED);
  }
  return second;
}
