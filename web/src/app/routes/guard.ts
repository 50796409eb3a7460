import type { ComponentType } from 'react';

type Guard = 'RequireAuth' | 'RequireActive' | 'RequireStore' | 'RequireOwner' | 'RequireBilling' | 'RequireStoreRole';

/** A guard loaded by a route: separately, because it may call the server, which no public page does. */
export function guard(name: Guard): () => Promise<{ Component: ComponentType }> {
  return async () => ({ Component: (await import('../guards/require'))[name] });
}
