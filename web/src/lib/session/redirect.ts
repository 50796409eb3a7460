/** The server's keyword for where a user should go after signing in. */
export type RedirectTo = 'subscription_price' | 'subscription_dashboard' | 'subscription_store';

const targets: Record<RedirectTo, string> = {
  subscription_price: '/pricing',
  subscription_dashboard: '/dashboard',
  subscription_store: '/store-details',
};

/** Screens to which a user without a plan may return, because they lead to one. */
const beforeBuying = [
  '/pricing',
  '/plan/',
  '/buy/',
  '/store-details/address',
  '/checkout/',
  '/account',
  '/subscription_list',
];

/** The name of the query parameter that holds the requested screen during login. */
export const RETURN_PARAM = 'return';

/** Returns a path of this site, or null: anything that could lead to another host is refused. */
export function safePath(path: string | null | undefined): string | null {
  if (!path || !path.startsWith('/') || path.startsWith('//') || /[\\\u0000-\u001f]/.test(path)) return null;
  return path;
}

/** The login URL that leads back to the current screen. */
export function loginPath(from: string): string {
  const back = safePath(from);
  return back && back !== '/' ? `/login?${RETURN_PARAM}=${encodeURIComponent(back)}` : '/login';
}

/** The path for a `redirect_to` keyword or address; null for anything unknown. */
export function redirectPath(redirectTo: string | undefined): string | null {
  if (!redirectTo) return null;
  if (Object.hasOwn(targets, redirectTo)) return targets[redirectTo as RedirectTo];
  return safePath(redirectTo);
}

/** True if the screen belongs to the person, not to an account: an invitation, or the proof of an e-mail address. */
export function isPersonal(path: string | null): boolean {
  const wanted = safePath(path);
  return wanted !== null && (wanted.startsWith('/team/') || wanted === '/account/confirm-email');
}

/** Whether the path is that of the choice of an account. */
const isChoice = (path: string) => /^\/accounts(?:\?|$)/.test(path);

/** Where to go after signing in: back to the requested screen, unless the server requires a step first. */
export function afterSignIn(redirectTo: string | undefined, back: string | null): string {
  const wanted = safePath(back);
  const target = redirectPath(redirectTo) ?? '/dashboard';
  if (!wanted || wanted === '/login') return target;
  if (isPersonal(wanted) || isChoice(wanted)) return wanted;
  // A manager's screen; owners have their own.
  if (wanted === '/account/store') return redirectTo === 'subscription_dashboard' ? '/account?tab=store' : target;
  if (redirectTo === 'subscription_dashboard') return wanted;
  if (redirectTo === 'subscription_price' && beforeBuying.some((path) => wanted.toLowerCase().startsWith(path)))
    return wanted;
  return target;
}

/**
 * The screen after a log-in. People who may act in other accounts first choose an account, because the requested screen may belong to any
 * of them; its path is kept in the URL.
 */
export function afterLogin(redirectTo: string | undefined, back: string | null, otherAccounts: boolean): string {
  const target = afterSignIn(redirectTo, back);
  if (!otherAccounts || isChoice(target) || isPersonal(back)) return target;
  return withReturn('/accounts', back);
}

/** Adds the requested screen to another screen's URL, so that it survives the steps in between. */
export function withReturn(path: string, back: string | null): string {
  const wanted = safePath(back);
  return wanted ? `${path}?${RETURN_PARAM}=${encodeURIComponent(wanted)}` : path;
}

/** Where a signed-in user should go, based on the local session state. */
export function redirectWord({
  isActive,
  hasStoreDetails,
  planEnded,
}: {
  isActive: boolean;
  hasStoreDetails: boolean;
  planEnded: boolean;
}): RedirectTo {
  if (!isActive || (planEnded && !hasStoreDetails)) return 'subscription_price';
  return hasStoreDetails ? 'subscription_dashboard' : 'subscription_store';
}
