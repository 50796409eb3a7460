import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteStandby } from '@/lib/online';
import { reloadPage } from '@/lib/reload';
import { renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import { ErrorPage } from './error-page';
import { OfflineNotice } from './offline';

const network = vi.spyOn(navigator, 'onLine', 'get');

function switchNetwork(on: boolean) {
  network.mockReturnValue(on);
  act(() => void window.dispatchEvent(new Event(on ? 'online' : 'offline')));
}

function FallsOver(): never {
  throw new TypeError('Unable to preload CSS for /assets/billing-1.css');
}

beforeEach(() => network.mockReturnValue(true));
afterEach(() => vi.mocked(reloadPage).mockReset());

const open = () =>
  renderRoutes([{ path: 'billing', element: <FallsOver />, errorElement: <ErrorPage /> }], { at: '/billing' });
const serve = (answer: () => Response) => server.use(http.head('*/favicon.svg', answer));

test('a page that lost the network says so in plain words and opens by itself', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  network.mockReturnValue(false);
  serve(() => new HttpResponse(null));
  open();
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
  expect(screen.queryByText(/preload CSS/)).not.toBeInTheDocument();
  expect(reloadPage).not.toHaveBeenCalled();
  switchNetwork(true);
  await waitFor(() => expect(reloadPage).toHaveBeenCalled());
});

test('a part that is missing although the server answers does not load the page without end', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const asked = vi.fn(() => new HttpResponse(null));
  serve(asked);
  open();
  expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await waitFor(() => expect(asked).toHaveBeenCalled());
  expect(reloadPage).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('every page says while there is no network', () => {
  renderRoutes([{ path: 'any', element: <OfflineNotice /> }], { at: '/any' });
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  switchNetwork(false);
  expect(screen.getByRole('alert')).toHaveTextContent('You are offline.');
  switchNetwork(true);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('every page says while a standby answers', () => {
  renderRoutes([{ path: 'any', element: <OfflineNotice /> }], { at: '/any' });
  act(() => noteStandby(new Response(null, { headers: { 'X-Read-From': 'standby' } })));
  expect(screen.getByRole('alert')).toHaveTextContent('Nothing can be saved at the moment');
  act(() => noteStandby(new Response(null, { status: 503 })));
  expect(screen.getByRole('alert')).toBeInTheDocument();
  act(() => noteStandby(new Response(null)));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
