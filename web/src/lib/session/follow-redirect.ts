import type { ApiError } from '@/lib/api/errors';
import { redirectPath } from './redirect';

type Follower = (path: string) => void;

let follower: Follower | null = null;

/** Registers what opens the screen that an error supplies; returns the function that removes it. */
export function onRedirect(follow: Follower): () => void {
  follower = follow;
  return () => {
    if (follower === follow) follower = null;
  };
}

/** Opens the screen that the error supplies, if it names one of this site. */
export function followRedirect({ redirectTo }: ApiError): void {
  const path = redirectPath(redirectTo);
  if (path) follower?.(path);
}
