import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { MoneyBack } from './customer-money';

const ok = (data: object) => HttpResponse.json({ status: true, message: 'It is on its way.', data });
const customer = { id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50' } as Customer;

function open(holding: { what: string; until: string } | null) {
  const asked: { kind: string; amount: number; keep_plan: boolean; key: string }[] = [];
  server.use(
    http.get('*/api/support/payments/:payment/trail', () => ok({ left_paise: 1_59_300_00, holding })),
    http.post('*/api/support/reversals', async ({ request }) => {
      asked.push({ ...((await request.json()) as (typeof asked)[0]), key: request.headers.get('Idempotency-Key') ?? '' });
      return ok({});
    }),
  );
  const onDone = vi.fn();
  const rendered = renderRoutes([{ path: '/', element: <MoneyBack customer={customer} payment="p1" reference="FP1" held={false} onDone={onDone} onClose={() => undefined} /> }], { at: '/' });
  return { ...rendered, asked, onDone };
}

async function ask(user: ReturnType<typeof open>['user']) {
  await user.clear(screen.getByLabelText('Reason'));
  await user.type(screen.getByLabelText('Reason'), 'As agreed{Enter}');
}

test('all that is left asks what becomes of the plan, and the plan ends unless it is left running', async () => {
  const { user, asked, onDone } = open({ what: 'plan', until: '2027-03-31' });
  expect(await screen.findByText('Leave it empty for all that is left, ₹1,59,300.')).toBeVisible();
  expect(screen.getByRole('group', { name: 'What becomes of the plan?' })).toBeVisible();
  expect(screen.getByRole('radio', { name: 'It ends when the money is back' })).toBeChecked();
  expect(await accessibilityFaults(document.body)).toEqual([]);
  await ask(user);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  await user.click(screen.getByRole('radio', { name: 'It goes on until 31 Mar 2027, as goodwill' }));
  await ask(user);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(2));
  expect(asked.map((one) => [one.amount, one.keep_plan])).toEqual([[0, false], [0, true]]);
  expect(asked[0]?.key).not.toBe(asked[1]?.key);
});

test('a part of it asks nothing, the last part does', async () => {
  const { user, asked, onDone } = open({ what: 'add_ons', until: '2026-12-31' });
  await user.click(await screen.findByRole('radio', { name: 'They go on until 31 Dec 2026, as goodwill' }));
  await user.type(screen.getByLabelText('Amount in rupees, tax included'), '1,59,299');
  expect(screen.queryByRole('group', { name: /What becomes/ })).toBeNull();
  await ask(user);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  await user.clear(screen.getByLabelText('Amount in rupees, tax included'));
  await user.type(screen.getByLabelText('Amount in rupees, tax included'), '1,59,300');
  expect(screen.getByRole('group', { name: 'What becomes of the add-ons?' })).toBeVisible();
  await ask(user);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(2));
  expect(asked.map((one) => [one.amount, one.keep_plan])).toEqual([[1_59_299_00, false], [1_59_300_00, true]]);
});

test('what has run out leaves nothing to choose', async () => {
  open(null);
  expect(await screen.findByText('Leave it empty for all that is left, ₹1,59,300.')).toBeVisible();
  expect(screen.queryByRole('group', { name: /What becomes/ })).toBeNull();
});
