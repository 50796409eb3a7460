import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, keeping, mock, ok, refused, server } from '@/testing/server';
import type { StaffAct } from '../api/acts';
import type { Customer } from '../api/customers';
import { ActDialog } from '../shared/act-dialog';
import { ActsList } from './acts-list';
import { ChangeMobile } from '../customers/change-mobile';
import { ReversalsPage } from '../money/customer-reversals-page';
import { me } from '../shell/console.fixture';
import { admin } from '../money/money-desk.fixture';

const act: StaffAct = {
  id: 'a1',
  kind: 'short_payment',
  customer_id: 'c1',
  customer_name: 'Asha Sweets',
  facts: [
    { name: 'Due', value: '₹14,750' },
    { name: 'Came', value: '₹14,749' },
  ],
  amount_paise: 100,
  reason: 'The bank kept a rupee',
  state: 'waiting',
  needs_approval: true,
  requested_by: me.id,
  requested_by_name: 'Sunita',
  requested_at: '2026-11-21T05:30:00Z',
  decided_by_name: '',
  decided_at: null,
  decision_reason: '',
  outcome: '',
  finished_at: null,
};
const page = (rows: StaffAct[]) => ({
  status: true,
  message: '',
  data: rows,
  current_page: 1,
  last_page: 1,
  next_page_url: null,
  per_page: 10,
  total: rows.length,
});
const list = (rows: StaffAct[]) => server.use(mock.get('/api/support/acts', () => Response.json(page(rows))));
const show = (element: React.ReactElement) => renderRoutes(element);

test('previews an act before the request, and requests it once with a reason', async () => {
  const bodies: unknown[] = [];
  const onClose = vi.fn();
  server.use(
    mock.post('/api/support/acts/preview', () => ok({ facts: act.facts, amount_paise: 100, needs_approval: true })),
    mock.post('/api/support/acts', async ({ request }) => {
      bodies.push(await request.json(), request.headers.get('Idempotency-Key'));
      return Response.json({ status: true, message: 'Nothing has happened yet.', data: act });
    }),
  );
  const user = userEvent.setup();
  show(
    <ActDialog
      content={{ kind: 'short_payment', customer_id: 'c1', payment_id: 'p1' }}
      who="Asha Sweets"
      onClose={onClose}
    />,
  );
  expect(await screen.findByText('₹14,749')).toBeVisible();
  expect(screen.getByText(/A second admin has to approve it\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Ask for it' }));
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText(/reason/i), 'The bank kept a rupee');
  await user.click(screen.getByRole('button', { name: 'Ask for it' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(bodies[0]).toEqual({
    kind: 'short_payment',
    customer_id: 'c1',
    payment_id: 'p1',
    reason: 'The bank kept a rupee',
  });
  expect(bodies[1]).toBeTruthy();
});

test('an act that cannot be done says why and offers nothing', async () => {
  server.use(mock.post('/api/support/acts/preview', () => refused(409, 'Nothing that was paid for is unused.')));
  show(<ActDialog content={{ kind: 'cancel_plan', customer_id: 'c1' }} who="Asha" onClose={vi.fn()} />);
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing that was paid for is unused.');
  expect(screen.queryByRole('button', { name: /Cancel the plan/ })).not.toBeInTheDocument();
});

test('a refused act returns to its input', async () => {
  server.use(mock.post('/api/support/acts/preview', () => refused(409, 'An account has this mobile already.')));
  const { user } = show(<ChangeMobile customer={{ id: 'c1', name: 'Asha' } as Customer} onClose={vi.fn()} />);
  await user.type(await screen.findByLabelText('New mobile number'), '9876543210');
  await user.type(screen.getByLabelText('What did you check?'), 'PAN card seen in a video call{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(await screen.findByLabelText('New mobile number')).toHaveValue('9876543210');
  expect(screen.getByLabelText('What did you check?')).toHaveValue('PAN card seen in a video call');
});

test('one dialog stays while the preview loads, with the focus and the reason that is typed meanwhile', async () => {
  let load = (): void => undefined;
  const loaded = new Promise<void>((resolve) => (load = resolve));
  const asked = answer('post', '/api/support/acts', act);
  server.use(
    mock.post('/api/support/acts/preview', async () => {
      await loaded;
      return ok({ facts: act.facts, amount_paise: 100, needs_approval: true });
    }),
  );
  const content = { kind: 'short_payment', customer_id: 'c1', payment_id: 'p1' } as const;
  const { user } = show(<ActDialog content={content} who="Asha Sweets" onClose={vi.fn()} />);
  const dialog = await screen.findByRole('dialog', { name: 'Accept a short payment: Asha Sweets' });
  const reason = screen.getByLabelText('Reason');
  await waitFor(() => expect(reason).toHaveFocus());
  await user.keyboard('The bank kept a rupee{Enter}');
  expect(await accessibilityFaults(dialog)).toEqual([]);
  load();
  expect(await screen.findByText('₹14,749')).toBeVisible();
  expect(screen.getByRole('dialog')).toBe(dialog);
  expect(screen.getByLabelText('Reason')).toBe(reason);
  expect(reason).toHaveFocus();
  expect(reason).toHaveValue('The bank kept a rupee');
  expect(asked.bodies).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(asked.bodies).toEqual([{ ...content, reason: 'The bank kept a rupee' }]));
});

test('an act of a colleague who may be the same person is another admin’s to decide', async () => {
  const tie = {
    staff_id: me.id,
    until: '2026-11-28T05:30:00Z',
    way: 'role',
    opened_at: '2026-11-21T05:30:00Z',
    opened_name: 'Ravi',
    opened_by_name: 'Sunita',
  };
  server.use(
    mock.get('/api/support/me', () => ok({ ...admin, id: 'other' })),
    mock.get('/api/support/account/ties', () => ok({ days: 7, ties: [tie] })),
  );
  list([act]);
  show(<ActsList state={undefined} />);
  expect(await screen.findByText(/Sunita gave Ravi another role/)).toBeVisible();
  for (const name of ['Approve', 'Decline'])
    expect(screen.getByRole('button', { name: `${name} Accept a short payment: Asha Sweets` })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
});

test.each([
  ['whoever asked can withdraw', { ...admin, id: me.id }, ['Withdraw']],
  ['another admin decides', { ...admin, id: 'other' }, ['Approve', 'Decline']],
  ['support sees it only', { ...me, id: 'other' }, []],
])('%s', async (_, who, offered) => {
  server.use(mock.get('/api/support/me', () => ok(who)));
  list([act]);
  show(<ActsList state={undefined} />);
  expect(await screen.findByRole('link', { name: 'Asha Sweets' })).toBeVisible();
  for (const label of ['Approve', 'Decline', 'Withdraw']) {
    const name = `${label} Accept a short payment: Asha Sweets`;
    if (offered.includes(label)) expect(await screen.findByRole('button', { name })).toBeVisible();
    else expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  }
});

test.each([
  ['support', true],
  ['auditor', false],
] as const)('more grace for many is offered to whoever may ask for it: %s', async (role, offered) => {
  server.use(mock.get('/api/support/me', () => ok({ ...me, role })));
  list([act]);
  show(<ActsList state={undefined} />);
  expect(await screen.findByRole('link', { name: 'Asha Sweets' })).toBeVisible();
  const name = 'More grace after an outage';
  if (offered) expect(await screen.findByRole('button', { name })).toBeVisible();
  else expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
});

test('finance reads the requests to give money back, and no acts, which it may not see', async () => {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...admin, role: 'finance' })),
    mock.get('/api/support/reversals', () => Response.json(page([]))),
    mock.get('/api/support/acts', () => {
      asked.push('acts');
      return Response.json(page([]));
    }),
  );
  renderRoutes(<ReversalsPage />);
  expect(await screen.findByText('Nothing here')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Acts for customers' })).not.toBeInTheDocument();
  expect(asked).toEqual([]);
});

test('the second admin approves with a reason', async () => {
  let sent: unknown;
  server.use(
    mock.get('/api/support/me', () => ok({ ...admin, id: 'other' })),
    mock.post('/api/support/acts/a1/approve', async ({ request }) => {
      sent = await request.json();
      return Response.json({ status: true, message: 'Approved.', data: { ...act, state: 'approved' } });
    }),
  );
  list([act]);
  const user = userEvent.setup();
  show(<ActsList state={undefined} />);
  await user.click(await screen.findByRole('button', { name: /^Approve/ }));
  await user.type(await screen.findByLabelText(/reason/i), 'Checked');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(sent).toEqual({ reason: 'Checked' }));
});

test('a lost mobile is typed as it is written, and shown before it is asked for', async () => {
  const asked: unknown[] = [];
  server.use(
    mock.post(
      '/api/support/acts/preview',
      keeping(asked, { facts: [{ name: 'To', value: '9876543211' }], amount_paise: 0, needs_approval: true }),
    ),
  );
  const user = userEvent.setup();
  const customer = { id: 'c1', name: 'Asha Kulkarni' } as Customer;
  const { container } = show(<ChangeMobile customer={customer} onClose={vi.fn()} />);
  const field = await screen.findByLabelText('New mobile number');
  await user.type(field, '12345');
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  expect(await screen.findByText(/ten digits/)).toBeVisible();
  expect(screen.getByText('Write what you checked, in 10 to 500 characters.')).toBeVisible();
  const checked = screen.getByLabelText('What did you check?');
  expect(checked).toBeInvalid();
  expect(field).toBeInvalid();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.clear(field);
  await user.type(checked, ' PAN card seen in a video call');
  await user.type(field, '+91 98765-43211{Enter}');
  expect(await screen.findByText('9876543211')).toBeVisible();
  expect(asked).toEqual([
    { kind: 'change_mobile', customer_id: 'c1', mobile: '9876543211', checked: 'PAN card seen in a video call' },
  ]);
  expect(screen.getByRole('button', { name: 'Ask for it' })).toBeVisible();
});
