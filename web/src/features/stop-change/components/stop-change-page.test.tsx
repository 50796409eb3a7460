import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, mock, refuse, server } from '@/testing/server';
import { StopChangePage } from './stop-change-page';

const change = (state: string) => ({ state, ending: '3210', due_at: '2026-11-22T05:30:00Z' });
const show = () => renderRoutes([{ path: 'stop/:code', element: <StopChangePage /> }], { at: '/stop/abc' });
const button = () => screen.findByRole('button', { name: 'Stop this change' });

test('opening the link stops nothing, the button does', async () => {
  let stopped = 0;
  answer('get', '/mobile-changes/{code}', change('waiting'));
  server.use(
    mock.post('/mobile-changes/abc/stop', () => {
      stopped += 1;
      return Response.json({ status: true, message: '', data: change('stopped') });
    }),
  );
  const { container } = show();
  const stop = await button();
  expect(screen.getByText(/ending in 3210/)).toBeVisible();
  expect(stopped).toBe(0);
  expect(await accessibilityFaults(container)).toEqual([]);
  await userEvent.click(stop);
  expect(await screen.findByText('The change is stopped. The account keeps its mobile number.')).toBeVisible();
  expect(stopped).toBe(1);
  expect(screen.queryByRole('button', { name: 'Stop this change' })).not.toBeInTheDocument();
});

test.each([
  ['applied', /changed already/],
  ['stopped', /is stopped/],
  ['failed', /was not made/],
])('a change that is %s has no button', async (state, words) => {
  answer('get', '/mobile-changes/{code}', change(state));
  show();
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Stop this change' })).not.toBeInTheDocument();
});

test('a link that is not ours says so, and a stop that comes too late says why', async () => {
  refuse('get', '/mobile-changes/{code}', 404, { code: 'stop_link_invalid', message: 'No.' });
  const first = show();
  expect(await screen.findByText(/This link does not work/)).toBeVisible();
  first.unmount();
  answer('get', '/mobile-changes/{code}', change('waiting'));
  refuse('post', '/mobile-changes/{code}/stop', 409, {
    code: 'mobile_changed',
    message: 'The mobile number was changed already.',
  });
  show();
  await userEvent.click(await button());
  expect(await screen.findByText(/changed already/)).toBeVisible();
});
