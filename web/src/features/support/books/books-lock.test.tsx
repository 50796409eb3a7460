import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { BookLock } from '../api/help';
import { BooksLock } from './books-lock';
const open: BookLock = { through: null, can_lock_through: '2026-10-31', history: [] };
const locked: BookLock = {
  through: '2026-09-30',
  can_lock_through: '2026-10-31',
  history: [
    { through: '2026-09-30', reason: 'The month is closed', by: 'Sunita', at: '2026-10-12T05:30:00Z' },
    { through: '2026-08-31', reason: 'Filed', by: 'Ravi', at: '2026-09-12T05:30:00Z' },
  ],
};

function setup(lock: BookLock, role = 'admin') {
  const bodies: unknown[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/books/lock', () => ok(lock)),
    mock.post('/api/support/books/lock', async ({ request }) => {
      bodies.push('lock', await request.json());
      return ok(locked);
    }),
    mock.post('/api/support/acts/preview', async ({ request }) => {
      bodies.push('preview', await request.json());
      return ok({
        facts: [{ name: 'Locked up to today', value: '30 Sep 2026' }],
        amount_paise: 0,
        needs_approval: true,
      });
    }),
    mock.post('/api/support/acts', async ({ request }) => {
      bodies.push('ask', await request.json());
      return ok({}, 'Nothing has happened yet: a second admin has to approve it.');
    }),
  );
  return { ...renderRoutes(<BooksLock />), bodies };
}

test('an admin locks the books up to the end of a month that is over, with a reason', async () => {
  const { user, bodies } = setup(open);
  expect(await screen.findByRole('heading', { name: 'Books are open: nothing is locked' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Open them again' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Lock the books' }));
  const dialog = await screen.findByRole('dialog', { name: 'Lock the books?' });
  const ends = within(dialog)
    .getAllByRole('option')
    .map((one) => one.textContent);
  expect(ends.slice(0, 3)).toEqual(['31 Oct 2026', '30 Sep 2026', '31 Aug 2026']);
  expect(dialog).toHaveTextContent('No entry, invoice or credit note is dated up to 31 Oct 2026 any more.');
  await user.click(within(dialog).getByRole('button', { name: 'Lock up to 31 Oct 2026' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Please say why');
  await user.type(within(dialog).getByLabelText('Reason'), 'The month is closed');
  await user.click(within(dialog).getByRole('button', { name: 'Lock up to 31 Oct 2026' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual(['lock', { through: '2026-10-31', reason: 'The month is closed' }]);
});

test('locked books show up to when and who decided it; opening them asks a second admin', async () => {
  const { user, bodies, container } = setup(locked);
  expect(await screen.findByRole('heading', { name: 'Books are locked up to 30 Sep 2026' })).toBeVisible();
  expect(screen.getByText(/^Decided by Sunita/)).toHaveTextContent('The month is closed');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Open them again' }));
  const dialog = await screen.findByRole('dialog', { name: 'Open locked books again?' });
  expect(within(dialog).getAllByRole('option')[0]).toHaveTextContent('31 Aug 2026');
  await user.selectOptions(within(dialog).getByLabelText('Stays locked up to'), 'Nothing');
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await screen.findByRole('button', { name: 'Ask for it' });
  await user.type(within(dialog).getByLabelText('Reason'), 'Locked too early');
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(bodies).toEqual([
      'preview',
      { kind: 'open_books' },
      'ask',
      { kind: 'open_books', reason: 'Locked too early' },
    ]),
  );
});

test('support reads how far the books are locked, and changes nothing', async () => {
  setup(locked, 'support');
  expect(await screen.findByRole('heading', { name: 'Books are locked up to 30 Sep 2026' })).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});
