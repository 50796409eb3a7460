import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { MoneyBack } from './customer-money';

const done = <Data,>(data: Data) => ok(data, 'It is on its way.');
const customer = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50',
  name: '',
  legal_name: 'Asha Sweets',
  store_name: '',
  mobile: '9876543210',
} as Customer;
type Asked = {
  kind: string;
  amount?: number;
  all?: boolean;
  keep_plan?: boolean;
  reason: string;
  printed_reason?: string;
  bank_reference?: string;
  key: string;
};
const wrongUtr =
  'A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.';
const plan = { what: 'plan', until: '2027-03-31' };

function open(
  holding: { what: string; until: string } | null = plan,
  { held = false, left = 1_59_300_00, owed = 0, withheld = 0, gateway = 'payu', state = 'paid' } = {},
) {
  const asked: Asked[] = [];
  server.use(
    mock.get('/api/support/payments/{payment}/trail', () =>
      done({
        requests: [],
        left_paise: left,
        withheld_paise: withheld,
        owed_paise: owed,
        holding,
        approval_above_paise: 50_000_00,
        payment: { transaction_id: 'FP1', gateway, state, captured_paise: 1_59_300_00 },
        order: { plan: 'Start up · Expansion' },
      }),
    ),
    mock.post('/api/support/reversals', async ({ request }) => {
      asked.push({ ...((await request.json()) as Asked), key: request.headers.get('Idempotency-Key') ?? '' });
      return done({});
    }),
  );
  const onClose = vi.fn();
  const rendered = renderRoutes(<MoneyBack customer={customer} payment="p1" held={held} onClose={onClose} />);
  return { ...rendered, asked, onClose };
}

type User = ReturnType<typeof open>['user'];
const amount = () => screen.findByLabelText('Amount in rupees, tax included');
const all = () => screen.getByRole('checkbox', { name: 'All that is left goes back: ₹1,59,300' });

async function ask(user: User) {
  await user.clear(screen.getByLabelText('Reason'));
  await user.type(screen.getByLabelText('Reason'), 'As agreed{Enter}');
}

async function retype(user: User, text: string) {
  await user.clear(await amount());
  if (text) await user.type(await amount(), text);
}

test('the focus starts on the reason, and the amount is all that is left, to be confirmed', async () => {
  const { user, asked } = open();
  expect(await amount()).toHaveValue('1,59,300');
  expect(screen.getByRole('dialog', { name: 'Give money back to Asha Sweets' })).toBeVisible();
  expect(screen.getByText('FP1: ₹1,59,300 at PayU, Start up · Expansion.')).toBeVisible();
  expect(
    screen.getByText(
      /^Above ₹50,000 of one payment, or of what you give back alone in a day, all that goes back counted, a second admin/,
    ),
  ).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Reason')).toHaveFocus());
  await user.keyboard('{ArrowDown}{Enter}');
  expect(await screen.findByText('Tick this if all of it goes back; otherwise change the amount.')).toBeVisible();
  expect(all()).toHaveFocus();
  expect(asked).toEqual([]);
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

test.each([
  ['', 'Write how much goes back.'],
  ['0', 'The amount is above zero.'],
  ['0.00', 'The amount is above zero.'],
  ['₹', 'Write the amount in rupees, such as 1,500 or 1500.50.'],
  ['12a', 'Write the amount in rupees, such as 1,500 or 1500.50.'],
  ['1,59,300.01', 'At most ₹1,59,300 is left of this payment.'],
])('an amount of “%s” gives nothing back', async (typed, words) => {
  const { user, asked } = open();
  await retype(user, typed);
  await ask(user);
  expect(await screen.findByText(words)).toBeVisible();
  expect(await amount()).toHaveFocus();
  expect(await amount()).toBeInvalid();
  expect(asked).toEqual([]);
});

test('the button names the amount and the effect on the plan, which ends unless staff keep it', async () => {
  const { user, asked, onClose } = open();
  await amount();
  expect(screen.getByRole('group', { name: 'What becomes of the plan?' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Give ₹1,59,300 back and end the plan' })).toBeVisible();
  await user.click(all());
  await ask(user);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  await user.click(screen.getByRole('radio', { name: 'It goes on until 30 Mar 2027, as goodwill' }));
  expect(screen.getByRole('button', { name: 'Give ₹1,59,300 back and keep the plan' })).toBeVisible();
  await ask(user);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
  expect(asked.map((one) => [one.amount, one.keep_plan])).toEqual([
    [1_59_300_00, false],
    [1_59_300_00, true],
  ]);
  expect(asked[0]?.key).not.toBe(asked[1]?.key);
});

test('a partial refund needs no decision about the add-ons, the full refund does', async () => {
  const { user, asked, onClose } = open({ what: 'add_ons', until: '2026-12-31' });
  await user.click(await screen.findByRole('radio', { name: 'They go on until 30 Dec 2026, as goodwill' }));
  await retype(user, '1,59,299');
  expect(screen.queryByRole('group', { name: /What becomes/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Give ₹1,59,299 back' })).toBeVisible();
  await ask(user);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  await retype(user, '1,59,300');
  expect(all()).not.toBeChecked();
  await user.click(all());
  expect(screen.getByRole('group', { name: 'What becomes of the add-ons?' })).toBeVisible();
  await ask(user);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
  expect(asked.map((one) => [one.amount, one.keep_plan])).toEqual([
    [1_59_299_00, false],
    [1_59_300_00, true],
  ]);
});

test('the customer’s reason is a field of its own, and the bank’s transfer has its number', async () => {
  const { user, asked, onClose } = open(null);
  await retype(user, '500');
  await user.click(screen.getByRole('radio', { name: 'Credit note for a bank transfer that was made' }));
  await user.type(screen.getByLabelText('Reason printed on the credit note (optional)'), 'ab');
  await ask(user);
  expect(await screen.findByText(wrongUtr)).toBeVisible();
  expect(screen.getByText('Write 3 characters or more, or leave it empty.')).toBeVisible();
  await user.type(screen.getByLabelText('UTR of the transfer'), 'HDFCN52026112112345678');
  await user.type(screen.getByLabelText('Reason printed on the credit note (optional)'), 'c');
  await user.click(screen.getByRole('button', { name: 'Book ₹500 as paid back' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(asked).toEqual([
    expect.objectContaining({
      kind: 'credit_note',
      amount: 500_00,
      reason: 'As agreed',
      printed_reason: 'abc',
      bank_reference: 'HDFCN52026112112345678',
    }),
  ]);
});

test('shows the server’s refusal at its field', async () => {
  const { user } = open(null);
  server.use(
    mock.post('/api/support/reversals', () =>
      refused(422, {
        message: 'No.',
        messages: { amount: ['The refund is larger than what is left of the payment.'] },
        code: 'invalid',
        request_id: 'r',
      }),
    ),
  );
  await retype(user, '500');
  await ask(user);
  expect(await screen.findByText('The refund is larger than what is left of the payment.')).toBeVisible();
  expect(await amount()).toBeInvalid();
});

test('a held payment goes back as a whole, and says how much that is', async () => {
  const { user, asked, onClose } = open(null, { held: true, left: 14_749_00 });
  expect(await screen.findByText(/^All of the held payment goes back: ₹14,749\./)).toBeVisible();
  expect(screen.getByRole('dialog', { name: 'Give ₹14,749 back to Asha Sweets' })).toBeVisible();
  expect(screen.queryByLabelText('Amount in rupees, tax included')).toBeNull();
  expect(screen.getByRole('button', { name: 'Give ₹14,749 back' })).toBeVisible();
  await ask(user);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(asked).toEqual([expect.objectContaining({ kind: 'release', reason: 'As agreed' })]);
});

test('a refund of an ended plan offers no choice about the plan', async () => {
  open(null);
  expect(await screen.findByText('₹1,59,300 is left of this payment.')).toBeVisible();
  expect(screen.queryByRole('group', { name: /What becomes/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Give ₹1,59,300 back' })).toBeVisible();
});

test('what a failed refund owes is booked as a bank transfer, whole and with its number', async () => {
  const { user, asked, onClose } = open(null, { left: 0, owed: 14_749_00 });
  expect(await screen.findByText(/^PayU could not give ₹14,749 of FP1 back\./)).toBeVisible();
  expect(screen.getByRole('dialog', { name: 'Book a bank transfer to Asha Sweets' })).toBeVisible();
  expect(screen.queryByLabelText('Amount in rupees, tax included')).toBeNull();
  await ask(user);
  expect(await screen.findByText(wrongUtr)).toBeVisible();
  expect(screen.getByLabelText('UTR of the transfer')).toHaveFocus();
  await user.type(screen.getByLabelText('UTR of the transfer'), 'HDFCN52026112112345678');
  await user.click(screen.getByRole('button', { name: 'Book ₹14,749 as paid by bank' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(asked).toEqual([
    expect.objectContaining({ kind: 'bank_transfer', bank_reference: 'HDFCN52026112112345678', reason: 'As agreed' }),
  ]);
});

test('two clicks at once ask for the money once', async () => {
  const { user, asked, onClose } = open();
  await retype(user, '500');
  await user.type(screen.getByLabelText('Reason'), 'Agreed');
  const send = screen.getByRole('button', { name: 'Give ₹500 back' });
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(asked).toHaveLength(1);
});

test('a click beside the dialog, as the second of a double click, does not close it', async () => {
  const { onClose } = open();
  await amount();
  fireEvent.click(screen.getByRole('dialog'));
  expect(onClose).not.toHaveBeenCalled();
});

const byBank = [{ gateway: 'bank' }, { state: 'refunded' }];
test.each(byBank)('what no gateway returns (%o) is booked as transferred, less deducted tax', async (of) => {
  const { user, asked } = open(plan, { withheld: 13_500_00, ...of });
  expect(await screen.findByText(/Transfer ₹1,45,800 back: only that came in. ₹13,500 of it/)).toBeVisible();
  expect(screen.queryByRole('radio', { name: /through the gateway/ })).not.toBeInTheDocument();
  const amount = screen.getByLabelText('Amount in rupees, tax included');
  await user.clear(amount);
  await user.type(amount, '1000');
  expect(screen.getByText(/Transfer ₹915.25 back/)).toHaveTextContent('₹84.75 of it');
  await user.type(screen.getByLabelText('UTR of the transfer'), 'OURN42026112500001');
  await user.type(screen.getByLabelText('Reason'), 'As agreed');
  await user.click(screen.getByRole('button', { name: /1,000/ }));
  await waitFor(() => expect(asked[0]).toMatchObject({ kind: 'credit_note', amount: 1000_00 }));
});
