import type { RouteObject } from 'react-router';

/** Every path that a list of routes matches, such as "/plan/:keyA", except the page for unknown addresses. */
export function patternsOf(routes: RouteObject[], parent = ''): string[] {
  const found = routes.flatMap((route) => {
    if (route.path === '*') return [];
    const here = route.path ? `${parent}/${route.path}` : parent;
    if (route.children) return patternsOf(route.children, here);
    return [here || '/'];
  });
  return [...new Set(found)];
}
