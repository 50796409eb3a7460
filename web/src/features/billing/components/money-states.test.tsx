import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { creditNote, nextBill, orderRow, pageOf, paymentRow, taxDocument } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { subscription, transactionId } from '@/testing/subscription-factories';
import { BillingPage } from './billing-page';

const routes = [{ path: 'subscription_list', element: <BillingPage /> }];
const heldResult = `/checkout/result/success?transaction_id=${transactionId}`;

beforeEach(() => startSession(franchiserUser({ is_active: true })));

function setup({
  at = '/subscription_list',
  orders = [orderRow()],
  payments = [paymentRow()],
  held = [] as { transaction_id: string; amount: string }[],
  bill = null as ReturnType<typeof nextBill> | null,
  plan = null as ReturnType<typeof subscription> | null,
} = {}) {
  answer('get', '/subscription/list', orders, 'Orders.', pageOf(orders.length));
  answer('get', '/subscription/payments/list', payments, 'Payments.', pageOf(payments.length));
  answer('get', '/subscription/renewals', bill);
  answer('get', '/transfers', { offered: false, minimum_paise: 0, transfers: [] });
  answer('get', '/subscription/dashboard', {
    subscription: plan,
    tenant: null,
    add_ons_services: [],
    held_payments: held,
    confirming_payments: [],
  });
  return renderRoutes(routes, { at });
}

test('an order whose payment is held says so in words and offers its page instead of Pay', async () => {
  const { container } = setup({
    orders: [
      orderRow({
        subscription_status_value: 'Under review',
        payable_total: '₹14,750',
        captured: '₹14,749',
        invoice_id: null,
        documents: [],
      }),
    ],
    held: [{ transaction_id: transactionId, amount: '₹14,749' }],
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('We are looking at your payment of ₹14,749. Please do not pay again.');
  expect(row).toHaveTextContent('₹14,749 received');
  expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
  expect(within(row).getByRole('link', { name: 'See this payment' })).toHaveAttribute('href', heldResult);
  const due = 'We are looking at your payment of ₹14,749, because another amount was due. Please do not pay again.';
  expect(screen.getByText(due)).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('an order whose payment is being confirmed says so and offers its page instead of Pay', async () => {
  setup({ orders: [orderRow({ subscription_status_value: 'Being confirmed', invoice_id: null, documents: [] })] });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('Being confirmed');
  expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
  expect(within(row).getByRole('link', { name: 'See this payment' })).toHaveAttribute('href', heldResult);
});

test('Pay of another order opens no payment while money is held, and leads to what is held', async () => {
  refuse('post', '/subscription/payments/details', 409, {
    code: 'payment_held',
    message: 'We are looking at your payment of ₹14,749.',
    redirect_to: heldResult,
  });
  const { user } = setup({ orders: [orderRow({ subscription_status_value: 'Inactive' })] });
  await user.click(await screen.findByRole('button', { name: /^Pay/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByText('We are looking at your payment of ₹14,749.')).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'See this payment' })).toHaveAttribute('href', heldResult);
  expect(within(dialog).queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
});

test.each([
  [{ state: 'held', payable_total: '₹14,749' }, 'Under review'],
  [{ state: 'failed', cancelled: true }, 'Cancelled'],
  [{ state: 'failed' }, 'Failed'],
] as const)('a payment that is %j says so', async (change, words) => {
  setup({
    at: '/subscription_list?tab=payments',
    payments: [paymentRow({ invoice_id: null, documents: [], ...change })],
  });
  expect(await screen.findByText(words)).toBeVisible();
});

test('the payment of an upgrade names the total of its invoice and the credit that was used', async () => {
  setup({
    at: '/subscription_list?tab=payments',
    payments: [paymentRow({ payable_total: '₹32,296.44', invoice_total: '₹1,91,160', credit_used: '₹1,58,863.56' })],
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('₹32,296.44Invoice ₹1,91,160, of which ₹1,58,863.56 by credit note');
});

test('an order that can be paid again shows the amounts received and refunded next to its price', async () => {
  setup({
    orders: [
      orderRow({
        subscription_status_value: 'Inactive',
        payable_total: '₹14,750',
        captured: '₹14,749',
        refund_state: 'fully',
        refunded: '₹14,749',
      }),
    ],
  });
  expect(await screen.findByText('₹14,749 received · Refunded')).toBeVisible();
});

test('several credit notes are named with their tax, which is what is to be reversed', async () => {
  const documents = [
    taxDocument(),
    creditNote({ reverses_input_tax: true }),
    creditNote({ id: 'b', number: 'CN/26-27/000008', tax: '₹198.31', reverses_input_tax: true }),
  ];
  setup({ orders: [orderRow({ refund_state: 'partly', documents })] });
  expect(
    await screen.findByText(
      /CN\/26-27\/000007 with ₹24,101.69 GST, CN\/26-27\/000008 with ₹198.31 GST. If .* reverse the GST of each./,
    ),
  ).toBeVisible();
});

test('a payment shows its refunded duplicate charge together with its own state', async () => {
  const back = {
    amount: '₹14,750',
    amount_value: 14750,
    state: 'returned',
    asked_at: '2026-11-24T05:30:00Z',
    returned_at: '2026-11-25T05:30:00Z',
  } as const;
  setup({ at: '/subscription_list?tab=payments', payments: [paymentRow({ taken_again: [back] })] });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('Paid₹14,750 charged a second time was refunded on 25 Nov 2026, 11:00 IST');
});

test('an account that is to be erased is offered no payment: the orders say why, with the way to keep it', async () => {
  startSession(franchiserUser({ is_active: true, erase_on: '2026-11-28' }));
  const reason =
    'This account was to be erased when this payment arrived, so nothing was bought. All of it was refunded.';
  setup({
    orders: [
      orderRow({
        subscription_status_value: 'Inactive',
        payment_state: 'failed',
        reason,
        refund_state: 'fully',
        refunded: '₹1,59,300',
        invoice_id: null,
        documents: [],
      }),
    ],
    bill: nextBill({ can_renew: true }),
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent(`Money refunded. ${reason}`);
  expect(row).toHaveTextContent('Cannot be paid while your account is scheduled for erasure');
  expect(screen.queryByRole('button', { name: /^(Pay|Renew)/ })).not.toBeInTheDocument();
  expect(screen.getByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Keep my account' })).toHaveLength(1);
});

test('an order that another one took the place of still says what became of its payment', async () => {
  setup({
    orders: [
      orderRow({
        subscription_status_value: 'Cancelled',
        payment_state: 'failed',
        reason: 'Your bank declined the payment.',
        captured: null,
        invoice_id: null,
        documents: [],
      }),
    ],
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('CancelledPayment failed. Your bank declined the payment.');
});

test.each([
  [{ payment_state: 'failed', cancelled: true, reason: 'You cancelled the payment.' }, 'Payment cancelled.'],
  [
    { payment_state: 'failed', reason: 'Your bank declined the payment.' },
    'Payment failed. Your bank declined the payment.',
  ],
  [
    { payment_state: 'expired', reason: 'The payment was not completed in time.' },
    'Payment expired. The payment was not completed in time.',
  ],
] as const)('an unpaid order whose payment is %j says so and can be paid', async (change, words) => {
  setup({
    orders: [
      orderRow({ subscription_status_value: 'Inactive', captured: null, invoice_id: null, documents: [], ...change }),
    ],
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(within(row).getByText(words)).toBeVisible();
  expect(within(row).getByRole('button', { name: /^Pay/ })).toBeVisible();
});

const withStaff = 'could not be refunded yet; our team is working on it';

test.each([
  [{ state: 'paid', invoice_id: null, documents: [], owed: '₹14,749' }, `₹14,749 ${withStaff}`],
  [{ state: 'held', invoice_id: null, documents: [], owed: '₹14,749' }, `₹14,749 ${withStaff}`],
  [{ state: 'paid', owed: '₹500' }, `Paid · ₹500 ${withStaff}`],
] as const)('a payment whose refund failed for good says so: %j', async (change, words) => {
  setup({
    at: '/subscription_list?tab=payments',
    payments: [paymentRow({ refund_state: 'looked_at', ...change, documents: [] })],
  });
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByText('Invoice is being prepared')).not.toBeInTheDocument();
});

test('an order whose payment could not be given back says that our staff see to it, and can be paid', async () => {
  setup({
    orders: [
      orderRow({
        subscription_status_value: 'Inactive',
        payment_state: 'failed',
        reason: `The amount received differs from the amount due. It ${withStaff}.`,
        payable_total: '₹14,750',
        captured: '₹14,749',
        refund_state: 'looked_at',
        owed: '₹14,749',
        invoice_id: null,
        documents: [],
      }),
    ],
  });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent(`Refund delayed. The amount received differs from the amount due. It ${withStaff}.`);
  expect(row).toHaveTextContent(`₹14,749 received · ₹14,749 ${withStaff}`);
  expect(within(row).getByRole('button', { name: /^Pay/ })).toBeVisible();
});

test('after a free trial there is a plan to choose, and nothing to renew', async () => {
  startSession(franchiserUser({ is_active: true, payment_status: 5 }));
  setup({
    plan: subscription({
      state: 'expired',
      payment_type: 'free trial',
      plan_renew_on: '2026-12-05',
      expired_message: 'Plan Expired On: 4 Dec 2026',
    }),
  });
  expect(await screen.findByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/pricing');
  expect(screen.getByText('Your free trial ended on 4 Dec 2026.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Renew' })).not.toBeInTheDocument();
});

test('a plan that can be renewed is renewed, and no other one is offered', async () => {
  startSession(franchiserUser({ is_active: true, payment_status: 5 }));
  setup({ bill: nextBill({ state: 'expired', can_renew: true }) });
  expect(await screen.findByRole('button', { name: 'Renew' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Choose a plan' })).not.toBeInTheDocument();
});
