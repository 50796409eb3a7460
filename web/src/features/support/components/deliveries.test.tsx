import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { NamedDelivery } from '../api/deliveries';
import { CustomerDeliveries } from './customer-deliveries';
import { DeliveriesPage } from './deliveries-page';
import { DeliveryPage } from './delivery-page';

const ok = (data: unknown, message = '') => HttpResponse.json({ status: true, message, data });
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

function page(role: string, rows: NamedDelivery[], at: string) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    http.get('*/api/support/deliveries', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({
        status: true,
        message: '',
        data: rows,
        current_page: 1,
        last_page: 1,
        next_page_url: null,
        per_page: 10,
        total: rows.length,
      });
    }),
    http.get('*/api/support/customers/c1/deliveries/d1', () => {
      const { customer, ...delivery } = late;
      return ok({
        delivery,
        events: [{ kind: 'begun', to: 'planned', note: '', actor: 'product', staff: '', at: '2026-11-21T05:30:00Z' }],
        colleagues: [{ id: 's2', name: `Ravi of ${customer}` }],
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
  const { container, asked } = page('support', [late], '/support/deliveries?state=late');
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
    http.post('*/api/support/customers/c1/deliveries/d1', async ({ request }) => {
      bodies.push(await request.json());
      return ok(null, 'The delivery is changed.');
    }),
    http.post('*/api/support/customers/c1/deliveries/d1/owner', async ({ request }) => {
      bodies.push(await request.json());
      return ok(null, 'The assignment is saved.');
    }),
  );
  const { user, container } = page('support', [], '/support/customers/c1/deliveries/d1');
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

test('an auditor reads a delivery and cannot change it', async () => {
  page('auditor', [], '/support/customers/c1/deliveries/d1');
  expect(await screen.findByText('Begun: Planned')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Change the state' })).not.toBeInTheDocument();
});

test('names on the customer’s page what is to be delivered', async () => {
  const { asked } = page('support', [late], '/panel');
  expect(await screen.findByRole('heading', { name: 'To be delivered' })).toBeVisible();
  expect(screen.getByRole('listitem')).toHaveTextContent('Dedicated account manager Late 23 Nov 2026 · Nobody');
  expect(asked).toEqual(['?page=1&customer=c1&state=open']);
});
