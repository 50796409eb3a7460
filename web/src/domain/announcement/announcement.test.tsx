import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import { Announcement } from './announcement';

const told = {
  id: 'a1',
  revision: 1,
  texts: { en: 'We are closed tomorrow.', hi: 'हम कल बंद हैं।' },
  link: '/helpcenter',
  level: 'info',
  ends_at: '2027-01-26T18:30:00Z',
};
const answer = (announcement: object | null) => server.use(mock.get('/announcement', () => ok({ announcement })));
const render = () => renderRoutes([{ path: '/', element: <Announcement /> }], { at: '/' });

beforeEach(() => localStorage.clear());

test('an announcement is read as a status, leads to its page, and stays closed until its text changes', async () => {
  answer(told);
  const { user, container, unmount } = render();
  expect(await screen.findByRole('link', { name: told.texts.en })).toHaveAttribute('href', '/helpcenter');
  expect(screen.getByText(told.texts.en).closest('[role=status]')).toHaveClass('announcement');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText(told.texts.en)).toBeNull();
  expect(localStorage.getItem('announcement-closed')).toBe('a1.1');
  unmount();
  answer({ ...told, revision: 2, texts: { en: 'We are closed on Monday.' } });
  render();
  expect(await screen.findByText('We are closed on Monday.')).toBeVisible();
});

test('nothing is shown where nothing is announced, or what was closed', async () => {
  localStorage.setItem('announcement-closed', 'a1.1');
  let asked = 0;
  server.use(
    mock.get('/announcement', () => {
      asked += 1;
      return ok({ announcement: told });
    }),
  );
  render();
  await waitFor(() => expect(asked).toBe(1));
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});
