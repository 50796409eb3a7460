import { screen, waitFor, within } from '@testing-library/react';
import { delay } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { customerId, routes, signedIn } from './console.fixture';

const asha = { customer_id: customerId, name: 'Asha', mobile: '9876543210' };

test('what is typed finds a customer, and Enter opens the one marked', async () => {
  signedIn();
  const asked: unknown[] = [];
  server.use(
    mock.get('/api/support/search', ({ request }) =>
      ok({
        hits:
          new URL(request.url).searchParams.get('q') === '9876543210'
            ? [{ ...asha, kind: 'mobile', label: '9876543210', exact: true }]
            : [],
      }),
    ),
    mock.get('/api/support/customers/{id}/notes', () => ok({ notes: [], tags: [], known_tags: [] })),
    mock.get('/api/support/customers/{id}', () =>
      ok({
        id: customerId,
        name: 'Asha',
        mobile: '9876543210',
        email: 'asha@example.in',
        created_at: '2026-11-21T05:30:00Z',
        erased: false,
        totp_enabled: false,
        state: 'active',
        plan: 'Growth · Apex',
        plan_type: 'yearly',
        renew_on: '2027-11-21',
        next_bill: { on: '2027-11-21', pay_by: '2027-11-27', amount: '₹1,59,300' },
        store_name: 'Asha Sweets',
        store_slug: 'asha',
        domain: '',
        domain_state: '',
        address: '',
        last_payment_id: null,
        payment_state: 'paid',
        refunded: '₹500',
        open_disputes: 1,
        legal_name: 'Asha Sweets LLP',
        gstin: '',
        open_requests: [],
        team: [],
        mandates: [],
        add_ons: [],
        failed_jobs: 1,
        open_sessions: 1,
        last_seen_at: null,
        health: [{ level: 'bad', text: '1 job has failed', kind: 'job', payment: '' }],
        kinds: ['account', 'payment'],
      }),
    ),
    mock.get('/api/support/customers/{id}/timeline', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind');
      const entries = [
        {
          id: 'payment.1',
          at: '2026-11-21T05:31:00Z',
          kind: 'payment',
          title: 'Payment begun',
          status: 'pending',
          reference: 'T1',
          actor: 'customer',
          request_id: '019ae0c2-9ef0-7c3a-9d51-6b2f80c41e77',
          details: {
            payment_id: 'p1',
            amount_paise: 15930000,
            gateway_events: [
              {
                received_at: '2026-11-21T05:31:00Z',
                source: 'webhook',
                kind: 'payment',
                status: 'success',
                fields: { note: '<b>raw</b>' },
              },
            ],
          },
        },
        {
          id: 'account.1',
          at: '2026-11-21T05:30:00Z',
          kind: 'account',
          title: 'Account created',
          status: 'done',
          reference: 'A1',
          actor: 'Ravi Rao',
          request_id: '',
          details: {},
        },
      ];
      return ok({ entries: entries.filter((entry) => !kind || entry.kind === kind), next: null });
    }),
    mock.post('/api/support/customers/{id}/payments/{payment}/ask', async ({ request, params }) => {
      asked.push([params.payment, request.headers.get('Idempotency-Key')?.length, await request.json()]);
      return ok({ message: 'The gateway is being asked.', job_id: 8 });
    }),
  );
  const { user, container } = renderRoutes(routes, { at: '/support' });
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  expect(box).toHaveFocus();
  await user.type(box, '9876543210');
  expect(await screen.findByRole('option', { name: '9876543210 Asha Mobile' })).toBeVisible();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Asha Sweets LLP' })).toBeVisible();
  expect(
    within(screen.getByRole('list', { name: 'What is wrong' })).getByRole('link', { name: 'Failed jobs' }),
  ).toHaveAttribute('href', `/support/jobs?customer=${customerId}`);
  expect(screen.getByText('₹1,59,300 on 21 Nov 2027')).toBeVisible();
  expect(screen.getByText('Given back in all').nextElementSibling).toHaveTextContent('₹500');
  expect(screen.getByText('In dispute').nextElementSibling).toHaveTextContent('1 payment');
  await user.selectOptions(await screen.findByLabelText('Show'), 'payment');
  await user.click(screen.getByRole('heading', { level: 1 }));
  await user.keyboard('h');
  expect(screen.getByRole('button', { name: 'Look at the account' })).toHaveFocus();
  const timeline = screen.getByRole('list', { name: 'Timeline' });
  await waitFor(() => expect(within(timeline).getAllByRole('listitem')).toHaveLength(1));
  await user.keyboard('t');
  expect(within(timeline).getByText('Payment begun').closest('summary')).toHaveFocus();
  await user.click(within(timeline).getByText('Payment begun'));
  await user.click(await within(timeline).findByText(/The gateway told us, payment/));
  expect(within(timeline).getByText('<b>raw</b>')).toBeVisible();
  expect(within(timeline).getByText('₹1,59,300')).toBeVisible();
  expect(within(timeline).getByText('Customer')).toBeVisible();
  expect(within(timeline).getByText('019ae0c2-9ef0-7c3a-9d51-6b2f80c41e77')).toBeVisible();
  expect(within(timeline).getByRole('button', { name: 'Copy request id' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(within(timeline).getByRole('button', { name: 'Ask the gateway now' }));
  const reason = await screen.findByLabelText('Reason');
  await user.type(reason, '  {Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please say why');
  await user.type(reason, 'The bank has charged her{Enter}');
  await waitFor(() => expect(asked).toEqual([['p1', 32, { reason: 'The bank has charged her' }]]));
});

test('the keys are listed from the empty search too, and Esc leads out of it', async () => {
  signedIn();
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  const { user } = renderRoutes(routes, { at: '/support' });
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  await user.type(box, 'a?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.clear(box);
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(box);
  await user.keyboard('{Escape}');
  expect(screen.getByRole('main')).toHaveFocus();
});

test('a search that failed says so and can be tried again; it never says that nobody was found', async () => {
  signedIn();
  let down = true;
  server.use(
    mock.get('/api/support/search', () =>
      down
        ? refused(500, 'broken')
        : ok({
            hits: [{ ...asha, kind: 'name', label: 'Asha', exact: true }],
          }),
    ),
  );
  const { user } = renderRoutes(routes, { at: '/support' });
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'Asha');
  const told = await screen.findByText(/^The search failed\. Server error!.*Request id: r/);
  expect(screen.queryByText(/^No match/)).toBeNull();
  down = false;
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('option', { name: 'Asha +91 98765 43210 Name' })).toBeVisible();
  expect(told).not.toHaveTextContent('failed');
});

test('an id that nothing is found under says of what ids of requests are found', async () => {
  signedIn();
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  const { user } = renderRoutes(routes, { at: '/support' });
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  await user.type(box, '01a219d2-b621-7ecc-ad94-88e5c0582a0d');
  expect(await screen.findByText(/^No match\. The search finds the request ids of orders, payments/)).toBeVisible();
  await user.clear(box);
  await user.type(box, 'Nobody at all');
  expect(await screen.findByText(/^No match\. Type a whole number or id, or the beginning/)).toBeVisible();
});

test('digits from the middle of a mobile find nothing, and the hint says what to type instead', async () => {
  signedIn();
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  const { user } = renderRoutes(routes, { at: '/support' });
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), '765 432');
  expect(
    await screen.findByText(/^No mobile begins or ends with these digits\..* type its first or last four\.$/),
  ).toBeVisible();
});

test('a list that is cut off says so, and leads to all results', async () => {
  const asked: string[] = [];
  signedIn();
  server.use(
    mock.get('/api/support/search', ({ request }) => {
      asked.push(new URL(request.url).search);
      return ok({ hits: [{ ...asha, kind: 'store', label: 'Salon', exact: false }], more: true });
    }),
  );
  const { user } = renderRoutes(routes, { at: '/support' });
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'salon');
  expect(await screen.findByText('The first 1 are shown. There are more.')).toBeInTheDocument();
  await user.click(screen.getByRole('option', { name: /^All results/ }));
  const row = await screen.findByRole('row', { name: /Salon/ });
  expect(screen.getByRole('combobox', { name: 'Search or jump to' })).toHaveValue('salon');
  expect(screen.queryByRole('listbox', { name: 'Found' })).not.toBeInTheDocument();
  expect(within(row).getByRole('link', { name: 'Salon' })).toHaveAttribute('href', `/support/customers/${customerId}`);
  expect(screen.getByText(/There are more: type more of the name or number/)).toBeVisible();
  expect(asked.slice(-2)).toEqual(['?q=salon', '?q=salon&all=true']);
});

test('Enter before the answer arrives opens the first hit when it comes', async () => {
  signedIn();
  server.use(
    mock.get('/api/support/search', async () => {
      await delay(300);
      return ok({
        hits: [{ customer_id: null, kind: 'job', label: '8', exact: true, name: '', mobile: '' }],
        more: false,
      });
    }),
  );
  const { user, router } = renderRoutes(routes, { at: '/support' });
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  await user.type(box, 'job 8{Enter}');
  await waitFor(() => expect(router.state.location.pathname).not.toBe('/support'));
  expect(box).toHaveValue('');
});

test('"/" leaves the focused, empty search empty, and is typed within a search', async () => {
  signedIn();
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  const { user } = renderRoutes(routes, { at: '/support' });
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  await user.type(box, '//');
  expect(box).toHaveValue('');
  await user.type(box, 'FP/2026');
  expect(box).toHaveValue('FP/2026');
});
