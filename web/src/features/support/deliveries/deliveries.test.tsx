import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, page, server } from '@/testing/server';
import type { NamedDelivery } from '../api/deliveries';
import { CustomerDeliveries } from '../customers/customer-deliveries';
import { DeliveriesPage } from './deliveries-page';
import { DeliveryPage } from './delivery-page';
const late: NamedDelivery = {
  id: 'd1',
  customer_id: 'c1',
  customer: 'Asha Sweets LLP',
  name: 'Dedicated account manager',
  delivered_by: 'staff',
  responsible: '',
  state: 'planned',
  late: true,
  promised_on: '2026-11-23',
  needs: '',
  needs_act: '',
  proof: '',
  proof_link: '',
  delivered_at: null,
  staff_id: null,
  mine: false,
  revision: 2,
  next: ['waiting_for_customer', 'in_progress', 'delivered', 'not_applicable'],
  updated_at: '2026-11-21T05:30:00Z',
  end_reason: '',
};

function open(role: string, rows: NamedDelivery[], at: string) {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/deliveries', ({ request }) => {
      asked.push(new URL(request.url).search);
      return page(rows);
    }),
    mock.get('/api/support/customers/c1/deliveries/d1', () => {
      const { customer, ...delivery } = late;
      return ok({
        delivery,
        events: [{ kind: 'begun', to: 'planned', note: '', actor: 'product', staff: '', at: '2026-11-21T05:30:00Z' }],
        colleagues: [{ id: 's2', name: `Ravi of ${customer}` }],
        steps: [
          { name: 'Choose the colleague', done: true },
          { name: 'Make the first call', done: false },
        ],
        files: [{ id: 'f1', name: 'logo.png', by_us: false, sent_at: '2026-11-21T05:30:00Z' }],
        credit: { payment_id: 'p1', amount_paise: 354000, weeks: 2, printed_reason: 'Late delivery', given_paise: 0 },
      });
    }),
  );
  const routes = [
    { path: '/support/deliveries', element: <DeliveriesPage /> },
    { path: '/support/customers/:id/deliveries/:delivery', element: <DeliveryPage /> },
    { path: '/panel', element: <CustomerDeliveries id="c1" /> },
  ];
  return { ...renderRoutes(routes, { at }), asked };
}

test('lists late deliveries with their customer and promised day', async () => {
  const { container, asked } = open('support', [late], '/support/deliveries?state=late');
  const row = await screen.findByRole('row', { name: /Dedicated account manager/ });
  expect(row).toHaveTextContent('Dedicated account managerAsha Sweets LLPLate23 Nov 2026StaffNobody');
  expect(within(row).getByRole('link', { name: 'Dedicated account manager' })).toHaveAttribute(
    'href',
    '/support/customers/c1/deliveries/d1',
  );
  expect(asked).toEqual(['?page=1&state=late']);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('delivers with proof and a reason, and assigns a colleague', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.post('/api/support/customers/c1/deliveries/d1', keeping(bodies, null, 'The delivery is changed.')),
    mock.post('/api/support/customers/c1/deliveries/d1/owner', keeping(bodies, null, 'The assignment is saved.')),
  );
  const { user, container } = open('support', [], '/support/customers/c1/deliveries/d1');
  expect(await screen.findByText('Begun: Planned')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.selectOptions(await screen.findByLabelText('Responsible'), 's2');
  await user.click(screen.getByRole('button', { name: 'Change the state' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('State'), 'delivered');
  await user.type(dialog.getByLabelText('Proof: a link or a sentence'), 'Ravi called.');
  await user.type(dialog.getByLabelText('Reason'), 'first call');
  await user.click(dialog.getByRole('button', { name: 'Change' }));
  await expect
    .poll(() => bodies)
    .toEqual([
      { staff_id: 's2', revision: 2 },
      { state: 'delivered', needs: '', proof: 'Ravi called.', reason: 'first call', revision: 2 },
    ]);
});

test('an auditor reads a delivery of a named customer and cannot change it', async () => {
  open('auditor', [late], '/support/customers/c1/deliveries/d1');
  expect(await screen.findByText('Begun: Planned')).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Asha Sweets LLP' })).toHaveAttribute('href', '/support/customers/c1');
  expect(screen.queryByRole('button', { name: 'Change the state' })).not.toBeInTheDocument();
});

test('names on the customer’s page what is to be delivered', async () => {
  const { asked } = open('support', [late], '/panel');
  expect(await screen.findByRole('heading', { name: 'To be delivered' })).toBeVisible();
  expect(screen.getByRole('listitem')).toHaveTextContent('Dedicated account manager Late 23 Nov 2026');
  expect(asked).toEqual(['?page=1&customer=c1&state=open']);
});

test('ticks a step, adds a note and a file, and asks for the credit', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.post('/api/support/customers/c1/deliveries/d1/steps', keeping(bodies, null, 'The checklist is saved.')),
    mock.post('/api/support/customers/c1/deliveries/d1', keeping(bodies, null, 'The delivery is changed.')),
    mock.post('/api/support/customers/c1/deliveries/d1/files', ({ request }) => {
      bodies.push(new URL(request.url).search);
      return ok({ id: 'f2', name: 'screen.png', by_us: true, sent_at: '2026-11-21T05:30:00Z' }, 'The file is stored.');
    }),
    mock.post('/api/support/reversals', async ({ request }) => {
      bodies.push(request.headers.get('Idempotency-Key'), await request.json());
      return ok({ id: 'r1' }, 'Asked.');
    }),
  );
  const { user, container } = open('admin', [], '/support/customers/c1/deliveries/d1');
  expect(await screen.findByRole('link', { name: 'logo.png' })).toHaveAttribute(
    'href',
    '/api/support/customers/c1/deliveries/d1/files/f1',
  );
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(await screen.findByLabelText('Make the first call'));
  await user.click(screen.getByRole('button', { name: 'Add a note' }));
  await user.type(await screen.findByLabelText('Reason'), 'Ravi is ill{Enter}');
  await user.upload(
    screen.getByLabelText('Proof: an image, a PDF or a sheet'),
    new File(['x'], 'screen.png', { type: 'image/png' }),
  );
  await user.click(await screen.findByRole('button', { name: 'Ask for the credit' }));
  await user.type(await screen.findByLabelText('Reason'), 'Two weeks late{Enter}');
  await expect
    .poll(() => bodies)
    .toEqual([
      { done: ['Choose the colleague', 'Make the first call'], revision: 2 },
      { state: 'planned', needs: '', proof: '', reason: 'Ravi is ill', revision: 2 },
      '?name=screen.png',
      'late-d1-2026-11-23-2',
      {
        customer_id: 'c1',
        payment_id: 'p1',
        kind: 'refund',
        amount: 354000,
        keep_plan: true,
        reason: 'Two weeks late',
        printed_reason: 'Late delivery',
      },
    ]);
});
