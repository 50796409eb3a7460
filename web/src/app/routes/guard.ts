import type { ComponentType } from 'react';

type Guard = 'RequireAuth' | 'RequireActive' | 'RequireStore';

/** A guard as a route loads it: apart, because it may ask the server, which no public page does. */
export function guard(name: Guard): () => Promise<{ Component: ComponentType }> {
  return async () => ({ Component: (await import('../guards/require'))[name] });
}
