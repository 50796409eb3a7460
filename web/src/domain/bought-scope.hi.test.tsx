import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { plans } from '@/content/catalogue';
import { BoughtScope } from './bought-scope';

test('the lists of what is set up end with a danda in Hindi', () => {
  const [plan] = plans;
  const names = [...(plan?.features ?? []), ...(plan?.services[0]?.addOns.map(({ name }) => name) ?? [])];
  const { container } = renderRoutes([{ path: 'scope', element: <BoughtScope names={names} /> }]);
  const lists = [...container.querySelectorAll('p')].filter((line) => line.querySelector('b'));
  expect(lists).toHaveLength(2);
  for (const list of lists) expect(list).toHaveTextContent(/[^.]।$/);
});
