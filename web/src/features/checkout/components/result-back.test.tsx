import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { paymentState } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { noPlan, subscription, transactionId } from '@/testing/subscription-factories';
import { ResultPage } from './result-page';

function setup(change: Parameters<typeof paymentState>[0], dashboard = noPlan()) {
  answer('get', '/subscription/dashboard', dashboard);
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState(change));
  return renderRoutes([{ path: 'checkout/result/success', element: <ResultPage /> }], {
    at: `/checkout/result/success?transaction_id=${transactionId}`,
    session: signedIn(),
  });
}

const failed: Parameters<typeof paymentState>[0] = {
  state: 'failed',
  charged: 'charged',
  amount: '₹14,749',
  captured: '₹14,749',
  invoice_id: null,
  documents: [],
};

test('money that is on its way back says how much and by which way, and the order can be tried again', async () => {
  setup({
    ...failed,
    refund_state: 'on_its_way',
    refunding: '₹14,749',
    refund_channel: 'gateway',
    reason: 'The amount received differs from the amount due. It is being refunded.',
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Your money is on its way back' })).toBeVisible();
  expect(
    screen.getByText('₹14,749 is on its way back to the card, account or UPI ID that you paid with.'),
  ).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Try Again' })).toHaveAttribute(
    'href',
    expect.stringContaining('/plan/'),
  );
});

test('money that went back after another payment made a plan active leads to the dashboard, not to another attempt', async () => {
  setup(
    { ...failed, refund_state: 'on_its_way', refunding: '₹14,749' },
    noPlan({ subscription: subscription({ plan_name: 'Growth', service_name: 'Apex' }) }),
  );
  expect(await screen.findByText(/^Your plan Growth · Apex is active\. You do not need to pay again\./)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  expect(screen.queryByRole('link', { name: 'Try Again' })).not.toBeInTheDocument();
});

test('a refunded first purchase can be tried again during a free trial', async () => {
  setup(
    { ...failed, refund_state: 'on_its_way', refunding: '₹14,749' },
    noPlan({ subscription: subscription({ state: 'trialing', payment_type: 'free trial' }) }),
  );
  expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
});

test('money whose refund was not tried yet is on its way back, and nothing failed', async () => {
  setup({ ...failed, refund_state: 'none' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Your money is on its way back' })).toBeVisible();
  expect(screen.getByText('₹14,749 is on its way back.')).toBeVisible();
  expect(screen.queryByText(/Failed|our team will complete/)).not.toBeInTheDocument();
});

test('money that could not be given back is with our staff, and the order can be tried again', async () => {
  const { container } = setup({
    ...failed,
    refund_state: 'looked_at',
    owed: '₹14,749',
    refund_channel: null,
    reason: 'The amount received differs from the amount due. It could not be refunded yet; our team is working on it.',
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Your refund is delayed' })).toBeVisible();
  expect(screen.getByText('₹14,749 could not be refunded yet; our team is working on it.')).toBeVisible();
  expect(screen.getByText('Refund delayed.')).toHaveAttribute('role', 'status');
  expect(screen.queryByText(/Failed|our team will complete|take a few days/)).not.toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('money that bought nothing and was taken back by the bank did not fail either', async () => {
  setup({ ...failed, refund_state: 'charged_back', refunded: '₹14,749' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Your bank took this payment back' })).toBeVisible();
  expect(screen.getByText('Taken back by your bank.')).toBeVisible();
});

test.each([
  ['gateway', 'to the card, account or UPI ID that you paid with'],
  ['bank', 'by bank transfer'],
] as const)('money that went back by %s says how much, when and how', async (refund_channel, way) => {
  const { container } = setup({
    ...failed,
    refund_state: 'fully',
    refunded: '₹14,749',
    refund_channel,
    refunded_at: '2026-11-24T05:30:00Z',
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Your money was refunded' })).toBeVisible();
  expect(screen.getByText(`₹14,749 went back ${way}, on 24 Nov 2026, 11:00 IST.`)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
  expect(screen.queryByText(/our team will complete/)).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('what is announced of a refunded order is its refund', async () => {
  setup({
    refund_state: 'fully',
    refunded: '₹1,59,300',
    refund_channel: 'gateway',
    refunded_at: '2026-11-24T05:30:00Z',
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'This order was refunded' })).toBeVisible();
  expect(screen.getByText('Money refunded.')).toHaveAttribute('role', 'status');
  expect(screen.queryByText('Your Order has been successfully placed')).not.toBeInTheDocument();
});

test('a payment that the customer cancelled is told in neutral words', async () => {
  setup({
    state: 'failed',
    cancelled: true,
    charged: 'unknown',
    reason: 'You cancelled the payment.',
    captured: null,
    documents: [],
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Payment cancelled' })).toBeVisible();
  expect(screen.getByText(/^We have no confirmation of a payment yet\./)).toBeVisible();
  expect(screen.queryByText(/nothing was charged/i)).not.toBeInTheDocument();
  expect(screen.queryByText('Failed')).not.toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
});

test('a customer who did not pay at the gateway can try again', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'unpaid', charged: 'unknown', captured: null, invoice_id: null, documents: [] }),
  );
  renderRoutes([{ path: 'checkout/result/failed', element: <ResultPage /> }], {
    at: `/checkout/result/failed?transaction_id=${transactionId}`,
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'No payment yet' })).toBeVisible();
  expect(
    screen.getByText(/^We have no confirmation of a payment yet\. .* This page updates automatically\.$/),
  ).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
});

test('shows a duplicate charge and its refund state with the paid order', async () => {
  setup({
    taken_again: [
      {
        amount: '₹14,750',
        amount_value: 14750,
        state: 'on_its_way',
        asked_at: '2026-11-24T05:30:00Z',
        returned_at: null,
      },
    ],
  });
  expect(
    await screen.findByText('₹14,750 charged a second time is on its way back, since 24 Nov 2026, 11:00 IST'),
  ).toBeVisible();
});

test.each<[string, NonNullable<Parameters<typeof paymentState>[0]>]>([
  [
    'goes back',
    {
      ...failed,
      refund_state: 'on_its_way',
      refunding: '₹14,749',
      reason:
        'This account was to be erased when this payment arrived, so nothing was bought. All of it is being refunded.',
    },
  ],
  ['failed', { state: 'failed', charged: 'unknown', captured: null, documents: [] }],
  ['was cancelled', { state: 'failed', cancelled: true, charged: 'unknown', captured: null, documents: [] }],
])(
  'a payment that %s is not tried again while the account is to be erased: the page leads to keeping it',
  async (_, change) => {
    startSession(franchiserUser({ erase_on: '2026-11-28' }));
    answer('delete', '/profile/erasure', null);
    answer('get', '/session', signedIn());
    const { user } = setup(change);
    const keep = await screen.findByRole('button', { name: 'Keep my account' });
    expect(screen.getByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Try Again' })).not.toBeInTheDocument();
    await user.click(keep);
    expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible();
  },
);
