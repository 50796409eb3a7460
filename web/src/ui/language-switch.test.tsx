import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { HeaderLanguages } from './language-switch';

const open = (element: React.ReactElement) => renderRoutes([{ path: 'pricing', element }], { at: '/pricing?plan=1' });

test('the header links the one other language', async () => {
  open(<HeaderLanguages others={['hi']} />);
  expect(await screen.findByRole('link', { name: 'हिन्दी' })).toHaveAttribute('href', '/hi/pricing?plan=1');
  expect(screen.queryByRole('button')).toBeNull();
});

test('the header has several other languages in a menu', async () => {
  const { container, user } = open(<HeaderLanguages others={['hi', 'en']} />);
  await user.click(await screen.findByRole('button', { name: 'English' }));
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['हिन्दी', 'English']);
  expect(await accessibilityFaults(container)).toEqual([]);
});
