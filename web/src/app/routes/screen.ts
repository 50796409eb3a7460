import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** A screen in a separate chunk: the module and the name of its component. */
export function screen<Name extends string>(
  path: string,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) };
}
