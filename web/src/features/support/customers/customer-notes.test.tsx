import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { CustomerNotes } from './customer-notes';
import { me } from '../shell/console.fixture';

const notes = [1, 2, 3, 4].map((n) => ({
  id: `n${n}`,
  text: `Note ${n}`,
  pinned: n === 1,
  author: n === 2 ? 'Ravi' : 'Sunita',
  created_at: '2026-11-20T09:01:30Z',
  may_delete: n !== 2,
}));

function open(role = 'support', answer: { notes: object[]; tags: string[] } = { notes, tags: ['vip'] }) {
  const sent: { path: string; body: unknown; key: string | null }[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...me, role })),
    mock.get('/api/support/customers/c1/notes', () => ok({ ...answer, known_tags: ['vip', 'call-first'] })),
    ...(['notes', 'notes/{note}/pin', 'notes/{note}/delete', 'tags'] as const).map((call) =>
      mock.post(`/api/support/customers/c1/${call}`, async ({ request }) => {
        const path = new URL(request.url).pathname.replace('/api/support/customers/c1', '');
        sent.push({ path, body: await request.json(), key: request.headers.get('Idempotency-Key') });
        return path === '/notes' && sent.length === 1
          ? refused(503, { message: 'Not now.', code: 'unavailable' })
          : ok({ message: '', job_id: null });
      }),
    ),
  );
  renderRoutes([{ path: 'c1', element: <CustomerNotes id="c1" now={Date.parse('2026-11-20T10:00:00Z')} /> }]);
  return sent;
}

test('a note that could not be kept is sent again as the same note', async () => {
  const user = userEvent.setup();
  const sent = open('finance');
  await user.click(await screen.findByRole('button', { name: 'Write a note' }));
  expect(screen.getByLabelText('New note')).toHaveFocus();
  await user.type(screen.getByLabelText('New note'), 'Calls after six');
  await user.click(screen.getByLabelText(/Pin it to the top/));
  await user.click(screen.getByRole('button', { name: 'Keep the note' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.getByLabelText('New note')).toHaveValue('Calls after six');
  await user.click(screen.getByRole('button', { name: 'Keep the note' }));
  await waitFor(() => expect(screen.getByLabelText('New note')).toHaveValue(''));
  expect(sent.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/notes', body: { text: 'Calls after six', pinned: true } },
    { path: '/notes', body: { text: 'Calls after six', pinned: true } },
  ]);
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test('nothing is sent for an empty note or tag', async () => {
  const user = userEvent.setup();
  const sent = open();
  await user.click(await screen.findByRole('button', { name: 'Write a note' }));
  await user.click(screen.getByRole('button', { name: 'Keep the note' }));
  expect(await screen.findByText('Write a note.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add tag' }));
  expect(await screen.findByText('Write a tag.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a few notes are shown, and all of them on demand; one is pinned, and one deleted with a reason', async () => {
  const user = userEvent.setup();
  const sent = open();
  const list = await screen.findByRole('list', { name: 'Notes' });
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(3));
  await user.click(screen.getByRole('button', { name: 'Show all 4 notes' }));
  expect(within(list).getAllByRole('listitem')).toHaveLength(4);
  await user.click(await screen.findByRole('button', { name: 'Pin the note of Ravi' }));
  expect(screen.queryByRole('button', { name: 'Delete the note of Ravi' })).not.toBeInTheDocument();
  await user.click(screen.getAllByRole('button', { name: 'Delete the note of Sunita' })[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: 'Delete the note' });
  await user.type(within(dialog).getByLabelText('Reason'), 'Out of date');
  await user.click(within(dialog).getByRole('button', { name: 'Delete the note' }));
  await waitFor(() =>
    expect(sent.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/notes/n2/pin', body: { pinned: true } },
      { path: '/notes/n1/delete', body: { reason: 'Out of date' } },
    ]),
  );
});

test('tags are added and taken away', async () => {
  const user = userEvent.setup();
  const sent = open();
  await user.type(await screen.findByLabelText('New tag'), 'call-first{Enter}');
  await user.click(screen.getByRole('button', { name: 'Remove the tag vip' }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([
      { tag: 'call-first', set: true },
      { tag: 'vip', set: false },
    ]),
  );
});

test('an auditor reads, and changes nothing', async () => {
  open('auditor', { notes: notes.map((note) => ({ ...note, may_delete: false })), tags: [] });
  expect(await screen.findByText('Note 1')).toBeVisible();
  expect(screen.getByText('No tags.')).toBeVisible();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /a note|note of|tag/ })).not.toBeInTheDocument();
});
