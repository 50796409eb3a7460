import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RenewalNotice } from '@/domain/payment/renewal-notice';
import type { components } from '@/lib/api/schema.gen';
import { nextBill } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { ids, subscription } from '@/testing/subscription-factories';
import { mandate, setup } from './automatic-renewal.fixture';
import { Banners } from './banners';
import { signIn } from './dashboard.fixture';
import { NextBillCard } from './next-bill-card';

type Schemas = components['schemas'];

test('a skipped debit can be taken back while there is time', async () => {
  const skipped = { can_unskip: true, skipped_on: '2027-01-21', next_debit: null };
  const { user, container } = setup({ mandate: mandate(skipped) });
  expect(await screen.findByText(/^You skipped the debit for the renewal on 21 Jan 2027\./)).toHaveTextContent(
    'undo the skip while there is time',
  );
  expect(await screen.findByRole('button', { name: /^Pay now/ })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  const back = answer('post', '/subscription/automatic-renewal/{id}/unskip', null);
  await user.click(screen.getByRole('button', { name: 'Undo the skip' }));
  await expect.poll(() => back.requests.length).toBe(1);
});

test('a skip that cannot be undone is shown without the undo button', async () => {
  setup({ mandate: mandate({ can_unskip: false, skipped_on: '2027-01-21', next_debit: null }) });
  expect(await screen.findByText(/Pay this renewal manually\.$/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo the skip' })).toBeNull();
});

test('what the bank is working on can be paid manually, and the page says so', async () => {
  const debit = { id: ids.order, on: '2027-01-20', amount: '₹14,750', why: null, advice: null, next_try: '-' } as const;
  setup(
    {
      mandate: mandate(),
      debits: [
        { ...debit, state: 'asked' },
        { ...debit, id: ids.invoice, state: 'failed' },
      ],
    },
    {
      on: '2027-01-20',
      amount: '₹14,750',
      in_progress: true,
      due: false,
    },
  );
  expect(await screen.findByText('In progress.')).toBeVisible();
  expect(screen.getByText('₹14,750: your bank is working on it')).toBeVisible();
  const byHand = within(await screen.findByRole('region', { name: 'Pay manually' }));
  expect(
    byHand.getByText(/^Your bank is working on a debit of ₹14,750\. You can wait for its answer, or pay /),
  ).toBeVisible();
  expect(byHand.getByRole('button', { name: /^Pay now/ })).toBeVisible();
});

test('a plan that has ended names no next debit and asks to pay', async () => {
  const { container } = setup({ mandate: mandate({ next_debit: null, pay_to_start: true }) });
  const status = within(await screen.findByRole('region', { name: 'UPI AutoPay' }));
  expect(status.getByText(/^Your plan has ended and nothing is debited\./)).toBeVisible();
  expect(status.getByText('None until you pay')).toBeVisible();
  expect(await status.findByRole('button', { name: /^Pay now/ })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Pay manually' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('shows a failed debit at the top with its consequence and the Pay button', async () => {
  const { container } = setup({
    mandate: mandate({ next_debit: null }),
    debits: [
      {
        id: ids.order,
        on: '2027-01-20',
        amount: '₹14,750',
        state: 'failed',
        why: 'there was not enough money',
        advice: 'Please pay it manually to keep your plan.',
        next_try: '-',
      },
    ],
  });
  const status = within(await screen.findByRole('region', { name: 'UPI AutoPay' }));
  expect(
    status.getByText(/^₹14,750 could not be debited on 20 Jan 2027: there was not enough money\./),
  ).toHaveTextContent(/keep your plan\.$/);
  expect(await status.findByRole('button', { name: /^Pay now/ })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Pay manually' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test.each([
  ['paused by the customer', { can_resume: true, paused_by_you: true, next_debit: null }],
  ['paused at the bank', { state: 'paused', can_pause: false, next_debit: null }],
] as const)('a renewal whose mandate is %s can be paid manually', async (_, change) => {
  setup({ mandate: mandate(change) });
  expect(await screen.findByRole('button', { name: /^Pay now/ })).toBeVisible();
});

test('a set-up that was left is not said to wait for the bank', async () => {
  setup({ mandate: mandate({ state: 'requested', authorised: false, next_debit: null, can_pause: false }) });
  expect(await screen.findByText('Not finished')).toBeVisible();
  expect(screen.queryByText('Waiting for your bank')).toBeNull();
});

test('what happened to the mandates is told in sentences', async () => {
  const event = (change: Partial<Schemas['MandateEvent']>): Schemas['MandateEvent'] => ({
    at: '2026-12-15T05:30:00Z',
    kind: 'requested',
    by: 'customer',
    method: 'upi',
    renew_on: '-',
    amount: null,
    ...change,
  });
  const sentences: [Partial<Schemas['MandateEvent']>, string][] = [
    [{ kind: 'ended', by: 'bank' }, 'Your bank ended it.'],
    [{ kind: 'not_set_up', by: 'bank' }, 'It was not set up.'],
    [{ kind: 'stopped' }, 'You stopped it.'],
    [
      { kind: 'refused', by: 'system', amount: '₹17,700', renew_on: '2027-01-21' },
      'It does not allow the bill of ₹17,700 for the renewal on 21 Jan 2027.',
    ],
    [{ kind: 'unskipped', renew_on: '2027-01-21' }, 'You undid the skip for the renewal on 21 Jan 2027.'],
    [{ kind: 'skipped', renew_on: '2027-01-21' }, 'You skipped the debit for the renewal on 21 Jan 2027.'],
    [{ kind: 'resumed', by: 'bank' }, 'It was resumed at your bank.'],
    [{ kind: 'paused', by: 'bank' }, 'It was paused at your bank.'],
    [{ kind: 'resumed' }, 'You resumed it.'],
    [{ kind: 'paused' }, 'You paused it.'],
    [{ kind: 'limited', by: 'bank', amount: '₹10,000' }, 'Your bank allows at most ₹10,000 per debit.'],
    [{ kind: 'confirmed', by: 'bank' }, 'Your bank approved automatic renewal.'],
    [{ kind: 'replaced', by: 'system' }, 'It was replaced by another one.'],
    [{ amount: '₹15,000' }, 'You asked for automatic renewal by UPI AutoPay, at most ₹15,000 per debit.'],
  ];
  const { container } = setup({ mandate: mandate(), events: sentences.map(([change]) => event(change)) });
  const list = within(await screen.findByRole('region', { name: 'History' }));
  for (const [, sentence] of sentences) expect(list.getByText(sentence)).toBeVisible();
  expect(list.getAllByRole('listitem')).toHaveLength(sentences.length);
  expect(await accessibilityFaults(container)).toEqual([]);
});

const grace = subscription({
  state: 'grace',
  notice: 'Your plan ended on 21 Nov 2027. Renew by 28 Nov 2027 to keep it.',
});

test.each([
  ['in progress', { in_progress: true, due: true }, /^Your bank is working on the automatic renewal for ₹1,59,300\./],
  ['due', { in_progress: false, due: true }, /^We are asking your bank for ₹1,59,300\.$/],
  ['ahead', { in_progress: false, due: false }, /^₹1,59,300 is debited for your renewal on 22 Nov 2027\.$/],
])('a debit takes the place of what asks to renew by hand (%s)', async (_, state, words) => {
  signIn();
  const debit = { on: '2027-11-22', amount: '₹1,59,300', ...state };
  answer('get', '/subscription/renewals', nextBill({ can_renew: true, state: 'grace', debit }));
  const page = (
    <>
      <Banners subscription={grace} />
      <RenewalNotice />
      <NextBillCard />
    </>
  );
  renderRoutes([{ path: 'dashboard', element: page }], { at: '/dashboard' });
  expect(await screen.findAllByText(words)).toHaveLength(3);
  expect(screen.queryAllByRole('button', { name: /^Renew/ })).toHaveLength(1); // the grace banner's
  expect(screen.queryByText(/Renew by/)).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Automatic renewal' })).toHaveAttribute(
    'href',
    '/dashboard/automatic-renewal',
  );
});
