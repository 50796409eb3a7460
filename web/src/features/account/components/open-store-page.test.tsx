import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { OpenStorePage } from './open-store-page';

const host = 'asha-sweets.stores.example';
const url = `https://${host}/dashboard/enter?code=c`;

function setup(at = '/open-store', hasStore = true) {
  const leave = vi.fn();
  const asked = vi.fn();
  server.use(
    mock.post('/profile/store/entry', () => {
      asked();
      if (!hasStore) return refused(404, { message: 'Not found.', code: 'not_found', request_id: 'r' });
      return ok({ url, host, expires_at: '2026-11-21T05:31:00Z' });
    }),
  );
  return { leave, asked, ...renderRoutes([{ path: 'open-store', element: <OpenStorePage leave={leave} /> }], { at }) };
}

test.each(['/open-store', `/open-store?at=${host}`])(
  '%s leads to the store, with a link that is asked for once',
  async (at) => {
    const { leave, asked } = setup(at);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(url));
    expect(asked).toHaveBeenCalledTimes(1);
  },
);

test('another store’s sign-in does not lead to one’s own store unasked', async () => {
  const { leave, container } = setup('/open-store?at=other.stores.example');
  await screen.findByText(/whose store is asha-sweets\.stores\.example, not other\.stores\.example/);
  expect(screen.getByRole('link', { name: `Open ${host}` })).toHaveAttribute('href', url);
  expect(leave).not.toHaveBeenCalled();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('without a store it says so', async () => {
  const { leave } = setup('/open-store', false);
  await screen.findByText('There is no store in this account yet.');
  expect(screen.getByRole('link', { name: 'To your dashboard' })).toBeVisible();
  expect(leave).not.toHaveBeenCalled();
});
