import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { BoughtScope } from './bought-scope';

test('the lists of what is set up end with a danda in Hindi', () => {
  const { container } = renderRoutes([
    { path: 'scope', element: <BoughtScope names={['Reward programme', 'Distribution model setup']} /> },
  ]);
  const lists = [...container.querySelectorAll('p')].filter((line) => line.querySelector('b'));
  expect(lists).toHaveLength(2);
  for (const list of lists) expect(list).toHaveTextContent(/[^.]।$/);
});
