/** The server's word for where a person belongs after signing in. */
export type RedirectTo = 'subscription_price' | 'subscription_dashboard' | 'subscription_store';

const targets: Record<RedirectTo, string> = {
  subscription_price: '/pricing',
  subscription_dashboard: '/dashboard',
  subscription_store: '/store-details',
};

/** Screens that a person without a plan may return to, because they lead to one. */
const beforeBuying = ['/pricing', '/plan/', '/store-details/address', '/checkout/', '/account', '/subscription_list'];

/** Name of the query parameter in which the screen asked for travels through the login. */
export const RETURN_PARAM = 'return';

/** A path of this site, or null: anything that could lead to another host is refused. */
export function safePath(path: string | null | undefined): string | null {
  if (!path || !path.startsWith('/') || path.startsWith('//') || /[\\\u0000-\u001f]/.test(path)) return null;
  return path;
}

/** The login address that brings a person back to where they are now. */
export function loginPath(from: string): string {
  const back = safePath(from);
  return back && back !== '/' ? `/login?${RETURN_PARAM}=${encodeURIComponent(back)}` : '/login';
}

/** The path a `redirect_to` word or address stands for; anything unknown gives null. */
export function redirectPath(redirectTo: string | undefined): string | null {
  if (!redirectTo) return null;
  if (Object.hasOwn(targets, redirectTo)) return targets[redirectTo as RedirectTo];
  return safePath(redirectTo);
}

/** Where to go after signing in: back to the screen asked for, unless the server wants a step done first. */
export function afterSignIn(redirectTo: string | undefined, back: string | null): string {
  const wanted = safePath(back);
  const target = redirectPath(redirectTo) ?? '/dashboard';
  if (!wanted || wanted === '/login') return target;
  if (redirectTo === 'subscription_dashboard') return wanted;
  if (redirectTo === 'subscription_price' && beforeBuying.some((path) => wanted.toLowerCase().startsWith(path)))
    return wanted;
  return target;
}

/** Adds the screen asked for to another screen's address, so that it survives the steps in between. */
export function withReturn(path: string, back: string | null): string {
  const wanted = safePath(back);
  return wanted ? `${path}?${RETURN_PARAM}=${encodeURIComponent(wanted)}` : path;
}

/** Where a signed-in person belongs, from what is known of them here. */
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
