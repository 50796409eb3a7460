import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, refused, server } from '@/testing/server';
import { SavedViews } from './saved-views';

const routes = [{ path: 'support/jobs', element: <SavedViews list="jobs" /> }];
const view = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50',
  name: 'Given up',
  query: 'state=discarded&kind=send_otp',
  shared: true,
  owner: 'Ravi',
  may_change: false,
};

function world(views: object[]) {
  const sent: unknown[] = [];
  server.use(
    mock.get('/api/support/saved-views', () => ok({ views })),
    mock.post('/api/support/saved-views', keeping(sent, view)),
    mock.post('/api/support/saved-views/{id}', async ({ request }) => {
      sent.push(await request.json());
      return refused(409, { message: 'There is a view of this name already.', code: 'view_exists' });
    }),
    mock.delete('/api/support/saved-views/{id}', ({ params }) => {
      sent.push(params.id);
      return ok(null);
    }),
  );
  return sent;
}

test('filters are kept under a name, without the place in the list', async () => {
  const sent = world([]);
  const { user, container } = renderRoutes(routes, { at: '/support/jobs?state=discarded&job=7&kind=send_otp' });
  await user.click(await screen.findByRole('button', { name: 'Save these filters' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Give it a name.');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.type(within(dialog).getByLabelText('Name'), 'Codes given up');
  await user.click(within(dialog).getByRole('checkbox'));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent).toEqual([
      { list: 'jobs', query: 'kind=send_otp&state=discarded', name: 'Codes given up', shared: true },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a view leads to its filters and says whose it is; only who may changes it', async () => {
  const mine = {
    ...view,
    id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51',
    name: 'Mine',
    query: 'queue=otp',
    may_change: true,
  };
  const sent = world([view, mine]);
  const { user } = renderRoutes(routes, { at: '/support/jobs' });
  const link = await screen.findByRole('link', { name: 'Given up (of Ravi)' });
  await user.click(link);
  await waitFor(() => expect(link).toHaveAttribute('aria-current', 'true'));
  expect(screen.queryByRole('button')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Mine (shared)' }));
  await user.click(await screen.findByRole('button', { name: 'Change view' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Save the change' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('There is a view of this name already.');
  await user.click(within(dialog).getByRole('button', { name: 'Delete the view' }));
  await waitFor(() => expect(sent).toEqual([{ name: 'Mine', shared: true }, mine.id]));
});
