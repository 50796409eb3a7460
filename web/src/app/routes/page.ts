import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

type Load = () => Promise<ComponentType>;

/**
 * A page in a separate chunk. `source` names its module for prerendering, which preloads its dependencies; `late` names the modules of its
 * late parts, of which prerendering uses only the style rules; `translated` says whether its text is in the catalogues.
 */
export function page(path: string, source: string, load: Load, late: string[] = [], translated = true): RouteObject {
  const sources = [`src/features/${source}.tsx`];
  return {
    path: path || undefined,
    index: path === '' ? true : undefined,
    handle: { sources, late: late.map((name) => `src/features/${name}.tsx`), translated },
    lazy: async () => ({ Component: await load() }),
  };
}
