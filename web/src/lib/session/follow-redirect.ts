import type { ApiError } from '@/lib/api/errors';
import { redirectPath } from './redirect';

/** Returns false for the screen that is open already. */
type Follower = (path: string) => boolean;

let follower: Follower | null = null;

/** Registers what opens the screen that an error supplies; returns the function that removes it. */
export function onRedirect(follow: Follower): () => void {
  follower = follow;
  return () => {
    if (follower === follow) follower = null;
  };
}

/** Opens the screen that the error supplies, if it names another one of this site; returns whether it does. */
export function followRedirect({ redirectTo }: ApiError): boolean {
  const path = redirectPath(redirectTo);
  return Boolean(path && follower?.(path));
}
