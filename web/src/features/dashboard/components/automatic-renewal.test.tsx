import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { components } from '@/lib/api/schema.gen';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids } from '@/testing/subscription-factories';
import { AutomaticRenewalPage } from './automatic-renewal-page';
import { choice, mandate, setup, words } from './automatic-renewal.fixture';
import { signIn } from './dashboard.fixture';

type Schemas = components['schemas'];

test('requires a tick, and records the exact consent text', async () => {
  const { user, container } = setup({
    choices: [
      choice(),
      choice({
        method: 'card',
        available: false,
        why: 'Your next bill is above what this method debits.',
        bill: '₹4,37,544',
      }),
    ],
  });
  expect(
    await screen.findByText('Card takes bills up to ₹15,000; yours is ₹4,37,544. Please pay it manually.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use Card' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
  const begun = answer('post', '/subscription/automatic-renewal', {
    gateway_details: { payment_url: 'https://test.payu.in/_payment', txnid: 'FP1' },
    order_id: ids.order,
    transaction_id: 'FP1',
    amount: '₹14,750',
    redirect_to: null,
  });
  await user.click(screen.getByRole('button', { name: 'Use UPI AutoPay' }));
  const dialog = await screen.findByRole('dialog', { name: 'Automatic renewal by UPI AutoPay' });
  const box = within(dialog).getByRole('checkbox', { name: words });
  expect(box).not.toBeChecked();
  await user.click(within(dialog).getByRole('button', { name: 'Pay ₹14,750 and agree' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Please read what you agree to, and tick the box.');
  expect(begun.bodies).toEqual([]);
  await user.click(box);
  await user.click(within(dialog).getByRole('button', { name: 'Pay ₹14,750 and agree' }));
  expect(await screen.findByText('Taking you to the gateway')).toBeVisible();
  expect(begun.bodies).toEqual([{ method: 'upi', consented: true, consent_version: '1', consent_text: words }]);
});

test('before the renewal is open the page says from when it can be set up', async () => {
  setup({ choices: [choice({ opens_on: '2027-01-10' })], opens_on: '2027-01-10' });
  expect(await screen.findByText(/You can set it up from 10 Jan 2027/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use UPI AutoPay' })).toBeNull();
});

test('an active mandate shows what is debited when, and is stopped after one question', async () => {
  const { user, container } = setup({
    mandate: mandate(),
    debits: [
      {
        id: ids.order,
        on: '2026-12-20',
        amount: '₹14,750',
        state: 'failed',
        why: 'there was not enough money',
        advice: 'Keep the amount in the account, or pay it manually.',
        next_try: '2026-12-24',
      },
    ],
  });
  expect(await screen.findByText('₹14,750 on 20 Jan 2027')).toBeVisible();
  expect(await screen.findByRole('button', { name: /^Pay now/ })).toBeVisible();
  expect(screen.getByText(/^Failed: there was not enough money\. Next try on 24 Dec 2026\./)).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  const skipped = answer('post', '/subscription/automatic-renewal/{id}/skip', null);
  await user.click(screen.getByRole('button', { name: 'Skip this debit' }));
  await expect.poll(() => skipped.requests.length).toBe(1);
  const stopped = answer('post', '/subscription/automatic-renewal/{id}/stop', null);
  await user.click(screen.getByRole('button', { name: 'Stop automatic renewal' }));
  const dialog = await screen.findByRole('dialog', { name: 'Stop automatic renewal?' });
  expect(stopped.requests).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Stop' }));
  await expect.poll(() => stopped.requests.length).toBe(1);
});

const bank = (change: Partial<Schemas['MandateChoice']> = {}) =>
  choice({ method: 'enach', cap: '₹2,00,000', without_payment: true, ...change });

test('above the limit of UPI and cards a bank account is offered, without a payment and at any time', async () => {
  const why = 'Your next bill is above what is debited without your approval. Please pay it manually.';
  const { user, container } = setup({
    choices: [
      choice({ available: false, why, opens_on: '2027-01-10' }),
      choice({ method: 'card', available: false, why, opens_on: '2027-01-10' }),
      bank(),
    ],
  });
  expect(await screen.findByText(/Your bank confirms it within days; you pay manually until then\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use Card' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
  const begun = answer('post', '/subscription/automatic-renewal', {
    gateway_details: { payment_url: 'https://test.payu.in/_payment', txnid: 'FP1' },
    order_id: null,
    transaction_id: 'FP1',
    amount: '₹0',
    redirect_to: null,
  });
  await user.click(screen.getByRole('button', { name: 'Use Bank account (eNACH)' }));
  const dialog = await screen.findByRole('dialog', { name: 'Automatic renewal by Bank account (eNACH)' });
  expect(within(dialog).getByText(/^Nothing is paid now\./)).toBeVisible();
  await user.click(within(dialog).getByRole('checkbox', { name: words }));
  await user.click(within(dialog).getByRole('button', { name: 'Continue to your bank' }));
  expect(await screen.findByText('Taking you to the gateway')).toBeVisible();
  expect(begun.bodies).toEqual([{ method: 'enach', consented: true, consent_version: '1', consent_text: words }]);
});

test('while the bank decides the page says until when, and the request can be stopped', async () => {
  const waiting = mandate({
    state: 'requested',
    method: 'enach',
    masked: 'HDFC',
    waits_until: '2026-12-25',
    can_pause: false,
    next_debit: null,
  });
  const { user, container } = setup({ mandate: waiting });
  expect(await screen.findByText('Waiting for your bank')).toBeVisible();
  expect(screen.getByText(/which can take until 25 Dec 2026\. Pay renewals manually/)).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Set it up' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
  const stopped = answer('post', '/subscription/automatic-renewal/{id}/stop', null);
  await user.click(screen.getByRole('button', { name: 'Stop automatic renewal' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }));
  await expect.poll(() => stopped.requests.length).toBe(1);
});

test('a request that was not finished can be gone on with, one that was stopped cannot', async () => {
  const open = { state: 'requested', method: 'enach', authorised: false, masked: null, next_debit: null } as const;
  setup({ mandate: mandate({ ...open, waits_until: '2026-12-25' }), choices: [bank()] });
  expect(await screen.findByText('Not finished')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Use Bank account (eNACH)' })).toBeVisible();
});

test('a request that the bank has rejected says why, and that one pays manually', async () => {
  setup({
    mandate: mandate({
      state: 'failed',
      method: 'enach',
      reason: 'The bank has rejected the mandate.',
      next_debit: null,
    }),
    choices: [bank()],
  });
  expect(
    await screen.findByText(/was not set up\. The bank has rejected the mandate\. You pay manually/),
  ).toBeVisible();
});

test('whoever comes back from the bank is not told that nothing was finished', async () => {
  setup({
    mandate: mandate({ state: 'requested', method: 'enach', authorised: false, next_debit: null }),
    choices: [bank()],
  });
  expect(await screen.findByText(/^Your bank has not told us yet\. If you have finished at its page/)).toBeVisible();
});

test('a mandate that was stopped says when, and whether the bank has confirmed it, above its debits', async () => {
  const stopped = { stopped_at: '2026-12-16T05:30:00Z', can_pause: false, can_stop: false, next_debit: null };
  setup({ mandate: mandate({ ...stopped, state: 'revoked', ended_at: '2026-12-16T05:30:01Z' }), choices: [choice()] });
  expect(
    await screen.findByText(/^You stopped automatic renewal on 16 Dec 2026\. Your bank has confirmed it\./),
  ).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Debits' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Use UPI AutoPay' })).toBeVisible();
});

test('warns that the bill exceeds the limit, and shows the present mandate with its paid replacement', async () => {
  const warning = {
    warning: 'the bill is above your limit',
    advice: 'Pay manually, and set automatic renewal up again with a higher limit.',
  };
  const { container } = setup({
    mandate: mandate({ ...warning, method: 'card', masked: '2346', next_debit: null }),
    replacement: mandate({ state: 'requested', paid: true, next_debit: null }),
    choices: [choice()],
  });
  expect(await screen.findByText(/Your next bill is not debited: the bill is above your limit\./)).toBeVisible();
  expect(screen.getByText('Card ending in 2346')).toBeVisible();
  expect(screen.getByText(/^Your payment has arrived, and your plan is renewed\./)).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a second click while the first is under way asks for nothing', async () => {
  setup({ mandate: mandate() });
  const skipped = answer('post', '/subscription/automatic-renewal/{id}/skip', null);
  const button = await screen.findByRole('button', { name: 'Skip this debit' });
  fireEvent.click(button);
  fireEvent.click(button);
  await expect.poll(() => skipped.requests.length).toBe(1);
});

test('a refusal is shown, and a paused mandate is resumed', async () => {
  const { user } = setup({
    mandate: mandate({ paused_by_you: true, can_pause: false, can_resume: true, next_debit: null }),
  });
  expect(await screen.findByText('Paused by you')).toBeVisible();
  refuse('post', '/subscription/automatic-renewal/{id}/resume', 409, { message: 'Automatic renewal is not active.' });
  await user.click(screen.getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText(/Automatic renewal is not active\./)).toBeVisible();
});

test('where it is not offered the page says so', async () => {
  setup({ offered: false });
  expect(await screen.findByText('Automatic renewal is not offered')).toBeVisible();
});

test('a failure to load is said, and loading can be repeated', async () => {
  signIn();
  refuse('get', '/subscription/automatic-renewal', 500);
  renderRoutes([{ path: 'dashboard/automatic-renewal', element: <AutomaticRenewalPage /> }]);
  expect(await screen.findByText('We could not load automatic renewal.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test.each([
  [{ offered: false }, null],
  [{ mandate: mandate() }, 'Next debit: ₹14,750 on 20 Jan 2027.'],
  [
    { mandate: mandate({ warning: 'the bill is above your limit', advice: 'Pay manually.', next_debit: null }) },
    'Your next bill is not debited: the bill is above your limit.',
  ],
  [{ choices: [choice()] }, 'Off. You pay each renewal manually.'],
])('the card of the dashboard: %#', async (change, text) => {
  const { router } = setup(change);
  await screen.findByRole('heading', { level: 1 });
  await router.navigate('/dashboard');
  if (text) expect(await screen.findByText(text)).toBeVisible();
  else expect(screen.queryByRole('region', { name: 'Automatic renewal' })).toBeNull();
});
