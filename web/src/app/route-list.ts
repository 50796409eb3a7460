import type { RouteObject } from 'react-router';

/** Every address that a list of routes knows, such as "/plan/:keyA"; the page for unknown ones is not among them. */
export function patternsOf(routes: RouteObject[], parent = ''): string[] {
  const found = routes.flatMap((route) => {
    if (route.path === '*') return [];
    const here = route.path ? `${parent}/${route.path}` : parent;
    if (route.children) return patternsOf(route.children, here);
    return [here || '/'];
  });
  return [...new Set(found)];
}
