import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { SwitchPlan } from './switch-plan';

const show = (element: React.ReactElement) => renderRoutes(element);

test('chooses a plan, and compares it with the present plan before the request', async () => {
  const asked: unknown[] = [];
  const tier = (id: string, name: string, addOns: object[]) => ({
    id,
    service_name: name,
    subscription_plan_add_ons_services: addOns,
  });
  server.use(
    mock.get('/subscription-plan/list', () => ok({ subscription_plan: [{ id: 'plan-1' }] })),
    mock.get('/subscription-plan/details/plan-1', () =>
      ok([
        {
          plan_name: 'Start up',
          subscription_plan_services: [
            tier('t1', 'Expansion', [{ id: 'a1', add_ons_service_name: 'Franchise extension' }]),
            tier('t2', 'Regional', [
              { id: 'a2', add_ons_service_name: 'Franchise extension' },
              { id: 'a3', add_ons_service_name: 'Users app' },
            ]),
          ],
        },
      ]),
    ),
    mock.post(
      '/api/support/acts/preview',
      keeping(asked, {
        facts: [
          { name: 'Plan today', value: 'Start up · Expansion, by the year' },
          { name: 'Plan after', value: 'Start up · Regional, by the month' },
          { name: 'Money', value: 'None moves.' },
        ],
        amount_paise: 0,
        needs_approval: false,
      }),
    ),
  );
  const user = userEvent.setup();
  const add_ons = ['Franchise extension', 'Franchise extension'];
  const customer = { id: 'c1', name: 'Asha Kulkarni', plan_type: 'yearly', add_ons } as Customer;
  const { container } = show(<SwitchPlan customer={customer} onClose={vi.fn()} />);
  await user.click(await screen.findByRole('button', { name: 'Show what it would do' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose a plan.');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.selectOptions(screen.getByLabelText('Other plan'), 'Start up · Regional');
  expect(screen.getByLabelText('Franchise extension')).toHaveDisplayValue('2 units');
  await user.selectOptions(screen.getByLabelText('Franchise extension'), 'Included');
  await user.selectOptions(screen.getByLabelText('Paid'), 'By the month');
  await user.click(screen.getByRole('radio', { name: 'At the renewal' }));
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  const row = await screen.findByRole('row', {
    name: 'Plan Start up · Expansion, by the year Start up · Regional, by the month',
  });
  expect(row).toBeVisible();
  expect(screen.getByText('None moves.')).toBeVisible();
  expect(screen.queryByText('Plan after')).not.toBeInTheDocument();
  expect(asked).toEqual([
    {
      kind: 'switch_plan',
      customer_id: 'c1',
      plan_services_id: 't2',
      plan_type: 'monthly',
      add_ons_service_id: ['a2'],
      settlement: 'renewal',
    },
  ]);
});
