import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { customerId, evil, focusRow, routes, rows, whole, world } from './jobs.fixture';
import { anAlert } from '../alerts/watch.fixture';

test('one job is rerun with four keys, after its effect was shown, and what is in an error is text', async () => {
  const { sent } = world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  expect(first).toHaveTextContent(evil);
  expect(container.querySelector('img')).toBeNull();
  focusRow(first);
  await user.keyboard('r');
  expect(await screen.findByText('Would ask the gateway about txn T1: payment is now `pending`.')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveFocus();
  await user.keyboard('   {Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please say why');
  expect(sent).toEqual([]);
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([{ path: '/jobs/rerun', body: { ids: [3], reason: 'The cause is fixed' } }]),
  );
  expect(sent[0]?.key).toMatch(/^[\w-]{8,}$/);
  expect(await screen.findByText('Job 3 will run again.')).toBeVisible();
});

test('counts jobs completed elsewhere, and keeps their rows until a reload', async () => {
  world();
  const { user, queryClient } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  focusRow(first);
  await user.keyboard('x');
  expect(screen.getByRole('region', { name: 'Chosen jobs' })).toHaveTextContent('1 chosen');
  world({ n: 0 });
  await queryClient.invalidateQueries({ queryKey: ['support', 'jobs', 'summary'] });
  expect(await screen.findByText('0 jobs left of the 3 shown')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show what is left' }));
  expect(await screen.findByText('No failed jobs')).toBeVisible();
  expect(screen.getByText('0 jobs')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Chosen jobs' })).not.toBeInTheDocument();
});

test('the preview says that a provider fails at the moment', async () => {
  world({ failing: () => [{ provider: 'SMS provider', count: 38 }] });
  const { user } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  focusRow(first);
  await user.keyboard('xjxr');
  expect(
    await screen.findByText('The SMS provider fails at the moment: 38 would most likely fail again.'),
  ).toBeVisible();
});

test('a selection is changed in the background, and each job left alone says why', async () => {
  const { sent, tried } = world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  focusRow(first);
  await user.keyboard('xjx');
  expect(screen.getByRole('region', { name: 'Chosen jobs' })).toHaveTextContent('2 chosen');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.keyboard('r');
  expect(
    await screen.findByText('1 would do something, 1 would find nothing left to do, 0 would be left alone.'),
  ).toBeVisible();
  expect(tried).toEqual([{ action: 'rerun', ids: [3, 2] }]);
  await user.type(await screen.findByLabelText('Reason'), 'Mended{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { path: '/jobs/operations', body: { action: 'rerun', dry_run: customerId, reason: 'Mended' } },
    ]),
  );
  const progress = await screen.findByRole('region', { name: 'Progress' });
  expect(progress).toHaveTextContent('1 of 2 jobs will run again. 1 left alone.');
  expect(within(progress).getByText('Job 9 does the same and is on its way already.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('whoever left the page finds a change of many jobs again', async () => {
  world();
  const { user } = renderRoutes(routes, { at: '/support/jobs' });
  await user.click(await screen.findByText('Changes of many jobs'));
  await user.click(screen.getByRole('button', { name: '1 of 2 jobs will run again' }));
  expect(await screen.findByRole('region', { name: 'Progress' })).toHaveTextContent(
    '1 of 2 jobs will run again. 1 left alone.',
  );
});

test('a job that is done says why it is not run again', async () => {
  world();
  server.use(mock.get('/api/support/jobs/2', () => ok({ ...whole(2), state: 'completed', can_rerun: false })));
  renderRoutes(routes, { at: '/support/jobs?job=2' });
  const dialog = await screen.findByRole('dialog', { name: 'Job 2: Ask about a payment' });
  expect(within(dialog).getByText('It is done, so it is not run again.')).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: /Rerun/ })).toBeNull();
});

test('the dialog of an unknown job says that there is no such job', async () => {
  world();
  server.use(mock.get('/api/support/jobs/2', () => refused(404, { code: 'not_found', message: 'Not found.' })));
  renderRoutes(routes, { at: '/support/jobs?job=2' });
  expect(await within(await screen.findByRole('dialog')).findByText('There is no such job')).toBeVisible();
});

test('all that match go by their filter, which stands in the address', async () => {
  const { sent, asked, tried } = world({ n: 1200 });
  const { user } = renderRoutes(routes, {
    at: '/support/jobs?kind=verify_payment&queue=payments&state=discarded&error=away&customer=c1',
  });
  expect(await screen.findByText('1,200 jobs')).toBeVisible();
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
    kind: 'verify_payment',
    queue: 'payments',
    state: 'discarded',
    search: 'away',
    customer_id: 'c1',
  });
  const drawn = await rows();
  expect(drawn.length).toBeLessThan(80);
  focusRow(drawn[1]);
  await user.keyboard('ad');
  expect(await screen.findByRole('dialog', { name: 'Dismiss 1,200 jobs?' })).toBeVisible();
  await user.keyboard('{ArrowUp}{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([{ path: '/jobs/operations', body: { action: 'dismiss', dry_run: customerId } }]),
  );
  expect(tried).toMatchObject([{ action: 'dismiss', filter: { kind: 'verify_payment', seen: '1-1' } }]);
});

test('what fails meanwhile waits behind a notice and moves no row', async () => {
  let newer = 0;
  world({ newer: () => newer });
  const { user, queryClient } = renderRoutes(routes, { at: '/support/jobs' });
  await rows();
  newer = 3;
  await queryClient.refetchQueries({ queryKey: ['support', 'jobs', 'summary'] });
  const button = await screen.findByRole('button', { name: '3 new' });
  expect(await rows()).toHaveLength(4);
  world({ n: 6 });
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole('button', { name: '3 new' })).toBeNull());
  const [, first] = await rows();
  expect(first).toHaveTextContent('#6');
  await waitFor(() => expect(first).toContainElement(document.activeElement as HTMLElement));
});

test('an empty list beside an alert does not read as if all were well', async () => {
  world({ n: 0 });
  server.use(mock.get('/api/support/alerts', () => ok({ alerts: [anAlert] })));
  renderRoutes(routes, { at: '/support/jobs' });
  expect(await screen.findByText(/^But the alert above needs attention/)).toBeVisible();
  expect(screen.getByText('No job has failed for good')).toBeVisible();
  expect(screen.queryByText(/All jobs were completed/)).not.toBeInTheDocument();
});

test('a list that is empty shows by itself what fails from then on', async () => {
  world({ n: 0 });
  const { queryClient } = renderRoutes(routes, { at: '/support/jobs' });
  await screen.findByText('No failed jobs');
  world({ n: 1 });
  await queryClient.refetchQueries({ queryKey: ['support', 'jobs', 'summary'] });
  expect((await rows())[1]).toHaveTextContent('Ask about a payment');
});

test('a job has an address of its own, and single keys can be turned off', async () => {
  world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs?job=2' });
  const dialog = await screen.findByRole('dialog', { name: 'Job 2: Ask about a payment' });
  expect(within(dialog).getByText(evil)).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Copy request id' })).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'Open the payment' })).toHaveAttribute(
    'href',
    `/support/customers/${customerId}?entry=payment.${customerId}`,
  );
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('heading', { level: 1 }));
  await user.keyboard('?');
  const keys = await screen.findByRole('dialog', { name: 'Keys' });
  await user.click(within(keys).getByRole('checkbox', { name: /Single-key shortcuts/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [, first] = await rows();
  focusRow(first);
  await user.keyboard('r?/');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(first).toContainElement(document.activeElement as HTMLElement);
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.getByRole('combobox', { name: 'Search or jump to' })).toHaveFocus();
  localStorage.clear();
});

test('a change that is over says what became of its jobs, and those that failed again are rerun', async () => {
  const { tried } = world();
  const { user } = renderRoutes(routes, { at: `/support/jobs?operation=${customerId}` });
  const progress = await screen.findByRole('region', { name: 'Progress' });
  expect(progress).toHaveTextContent('Since then: 0 done, 1 failed again.');
  expect(progress).toHaveTextContent('1 have a twin that is on its way');
  await user.click(within(progress).getByRole('button', { name: 'Rerun the 1 that failed again' }));
  await waitFor(() => expect(tried).toEqual([{ action: 'rerun', failed_in: customerId }]));
});

test('after an act on several jobs the keys go on in the list', async () => {
  world();
  const { user } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  focusRow(first);
  await user.keyboard('xjxd');
  await user.type(await screen.findByLabelText('Reason'), 'Known{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.closest('table')).not.toBeNull());
});

test('an opened job is rerun by its key, and its row names the customer', async () => {
  world();
  const { user } = renderRoutes(routes, { at: '/support/jobs?job=2' });
  const dialog = await screen.findByRole('dialog', { name: 'Job 2: Ask about a payment' });
  await within(dialog).findByRole('button', { name: 'Rerun job 2' });
  await user.keyboard('r');
  expect(await screen.findByRole('dialog', { name: 'Rerun job 2?' })).toBeVisible();
  expect(screen.getAllByText('Asha Foods')[0]).toBeInTheDocument();
});

test('causes go by the first error, and the customer of the list can be let go', async () => {
  const { asked } = world();
  const { user } = renderRoutes(routes, { at: `/support/jobs?customer=${customerId}` });
  await rows();
  await user.click(screen.getByRole('checkbox', { name: /By the first error/ }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.get('by')).toBe('first'));
  await user.click(screen.getByRole('button', { name: /^Only Asha Foods/ }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.has('customer_id')).toBe(false));
  await user.type(screen.getByLabelText('Argument'), 'payment_id:p1');
  await waitFor(() => expect(asked.at(-1)?.searchParams.get('arg')).toBe('payment_id:p1'));
});

test('an earlier page has the same filter, and what was chosen on the first one', async () => {
  const { asked } = world({ n: 60 });
  const { user } = renderRoutes(routes, { at: '/support/jobs?kind=verify_payment' });
  const [, first] = await rows();
  expect(first).toHaveTextContent('#60');
  focusRow(first);
  await user.keyboard('x{ArrowDown}x');
  await user.click(screen.getByRole('link', { name: 'Earlier' }));
  expect(await screen.findByRole('button', { name: 'Ask about a payment #10' })).toBeVisible();
  expect(await rows()).toHaveLength(11);
  expect(Object.fromEntries(asked.at(-1)?.searchParams ?? [])).toMatchObject({ kind: 'verify_payment', after: '50' });
  expect(screen.getByRole('region', { name: 'Chosen jobs' })).toHaveTextContent('2 chosen');
  await user.click(screen.getByRole('link', { name: 'Newest' }));
  expect(await screen.findByRole('button', { name: 'Ask about a payment #60' })).toBeVisible();
});
