import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LANGUAGE_KEY } from '@/lib/language';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { LanguageOffer } from './language-offer';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

function open(...tags: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);
  return renderRoutes([{ path: 'pricing', element: <LanguageOffer /> }], { at: '/pricing?billing=yearly' });
}

test('a browser in Hindi is offered the same page in Hindi', async () => {
  const { container, user } = open('hi-IN', 'en-IN');
  const link = await screen.findByRole('link', { name: 'हिन्दी में पढ़ें' });
  expect(link).toHaveAttribute('href', '/hi/pricing?billing=yearly');
  expect(link.closest('aside')).toHaveAttribute('lang', 'hi');
  expect(await accessibilityFaults(container)).toEqual([]);
  link.addEventListener('click', (event) => event.preventDefault());
  await user.click(link);
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('hi');
});

test('English as the answer hides the language offer for good', async () => {
  const { user, unmount } = open('hi');
  await user.click(await screen.findByRole('button', { name: 'अंग्रेज़ी में रहें' }));
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('en');
  unmount();
  open('hi');
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
});

test.each([[['en-IN', 'hi-IN']], [['fr-FR', 'en']], [['de']], [[]]])(
  'a browser that reads %j is offered nothing',
  (tags) => {
    open(...tags);
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  },
);
