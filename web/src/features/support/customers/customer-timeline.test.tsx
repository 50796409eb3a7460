import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { TimelineEntry } from '../api/customers';

import { Timeline } from './customer-timeline';

const entry = (id: string, change: Partial<TimelineEntry> = {}) =>
  ({
    id,
    at: '2026-11-20T09:00:00Z',
    kind: 'payment',
    title: `Payment ${id}`,
    status: 'paid',
    actor: 'customer',
    reference: id,
    details: {},
    ...change,
  }) as unknown as TimelineEntry;

interface Page {
  entries: TimelineEntry[];
  next: string | null;
}

function open(pages: (before: string, kind: string) => Page | undefined, at = '/customer') {
  server.use(
    mock.get('/api/support/customers/c1/timeline', ({ request }) => {
      const params = new URL(request.url).searchParams;
      const page = pages(params.get('before') ?? '', params.get('kind') ?? '');
      return page ? ok(page) : refused(503, 'down');
    }),
  );
  return renderRoutes(
    [{ path: 'customer', element: <Timeline id="c1" kinds={['payment', 'job']} acts={() => <button>Help</button>} /> }],
    { at },
  );
}
const rows = () =>
  within(screen.getByRole('list', { name: 'Timeline' }))
    .queryAllByText(/^Payment /)
    .map((row) => row.textContent);

test('lists every event, and loads older events on request', async () => {
  const { user, container } = open((before) =>
    before ? { entries: [entry('1')], next: null } : { entries: [entry('3'), entry('2')], next: '2' },
  );
  await screen.findByText('Payment 3');
  expect(rows()).toEqual(['Payment 3', 'Payment 2']);
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show earlier' }));
  await screen.findByText('Payment 1');
  expect(rows()).toEqual(['Payment 3', 'Payment 2', 'Payment 1']);
  expect(screen.queryByRole('button', { name: 'Show earlier' })).not.toBeInTheDocument();
});

test('at its end the timeline says what is no longer in it', async () => {
  const told = 'Sign-ins and codes are kept for 30 days, so that older ones are not listed.';
  const { user } = open((before) =>
    before ? { entries: [entry('1')], next: null } : { entries: [entry('2')], next: '2' },
  );
  const earlier = await screen.findByRole('button', { name: 'Show earlier' });
  expect(screen.queryByText(told)).not.toBeInTheDocument();
  await user.click(earlier);
  expect(await screen.findByText(told)).toBeVisible();
});

test('a customer to whom nothing happened has a sentence and no empty list of pages', async () => {
  open(() => ({ entries: [], next: null }));
  expect(await screen.findByText('Nothing has happened yet.')).toBeVisible();
});

test('one kind of entries is asked for by the address, and can be empty', async () => {
  const { user, router } = open((_, kind) => ({ entries: kind === 'job' ? [] : [entry('1')], next: null }));
  await screen.findByText('Payment 1');
  await user.selectOptions(screen.getByLabelText('Show'), 'job');
  expect(await screen.findByText('There is nothing of this kind.')).toBeVisible();
  expect(router.state.location.search).toBe('?kind=job');
});

test('a timeline that cannot be loaded says so, with Retry', async () => {
  let down = true;
  const { user } = open(() => (down ? undefined : { entries: [entry('1')], next: null }));
  const failure = await screen.findByRole('alert');
  expect(failure).toHaveTextContent('We could not load the timeline.');
  down = false;
  await user.click(within(failure).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Payment 1')).toBeVisible();
});

test('what is new waits behind a button, and the focus goes to the newest of it', async () => {
  let entries = [entry('1')];
  const { user, queryClient } = open(() => ({ entries, next: null }));
  await screen.findByText('Payment 1');
  entries = [entry('2', { at: '2026-11-20T09:05:00Z' }), entry('1', { status: 'refunded' })];
  await queryClient.invalidateQueries({ queryKey: ['support', 'newest'] });
  const button = await screen.findByRole('button', { name: 'Show 1 new' });
  expect(rows()).toEqual(['Payment 1']);
  expect(screen.getByText('1 new entry')).toBeInTheDocument();
  await user.click(button);
  await waitFor(() => expect(rows()).toEqual(['Payment 2', 'Payment 1']));
  await waitFor(() => expect(screen.getByText('Payment 2').closest('summary')).toHaveFocus());
  expect(screen.queryByRole('button', { name: /new$/ })).not.toBeInTheDocument();
});

test('j and k go from entry to entry and stop at the ends', async () => {
  const { user } = open(() => ({ entries: [entry('2'), entry('1')], next: null }));
  const first = (await screen.findByText('Payment 2')).closest('summary');
  const second = screen.getByText('Payment 1').closest('summary');
  first?.focus();
  await waitFor(async () => {
    await user.keyboard('j'); // the keys work shortly after the entries are rendered
    expect(second).toHaveFocus();
  });
  await user.keyboard('j');
  expect(second).toHaveFocus();
  await user.keyboard('k');
  expect(first).toHaveFocus();
  await user.keyboard('{Control>}j{/Control}');
  expect(first).toHaveFocus();
});

test('an entry that the address names stands open, however old it is', async () => {
  server.use(mock.get('/api/support/customers/c1/timeline/{entry}', () => ok(entry('old', { title: 'Payment old' }))));
  open(() => ({ entries: [entry('1')], next: null }), '/customer?entry=old');
  const list = await screen.findByRole('list', { name: 'The entry of the link' });
  expect(within(list).getByText('Payment old').closest('details')).toHaveAttribute('open');
});
