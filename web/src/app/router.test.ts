import { createMemoryRouter, matchRoutes } from 'react-router';
import { expect, it } from 'vitest';
import { consoleOnDemand, isConsole, siteRoutes } from './router';

const leaf = (paths: (string | undefined)[]) => paths.at(-1);

it('loads the console’s routes only when the visitor opens the console', async () => {
  const routes = siteRoutes();
  expect(leaf((matchRoutes(routes, '/support/login') ?? []).map(({ route }) => route.path))).toBe('*');
  const router = createMemoryRouter(routes, {
    patchRoutesOnNavigation: consoleOnDemand(),
    initialEntries: ['/nowhere'],
  });
  const at = () => leaf(router.state.matches.map(({ route }) => route.path));
  await router.navigate('/no/such/page');
  expect(at()).toBe('*');
  for (const page of ['support/login', 'support/join']) {
    await router.navigate(`/${page}`);
    expect(at()).toBe(page);
  }
  await router.navigate('/support/no/such/page');
  expect(at()).toBe('*');
  router.dispose();
});

it.each(['/support', '/support/login', '/hi/support/customers/1', '/Support/'])('knows %s as the console', (path) => {
  expect(isConsole(path)).toBe(true);
});

it.each(['/supporters', '/help/support', '/', '/hi'])('knows %s as none of the console', (path) => {
  expect(isConsole(path)).toBe(false);
});
