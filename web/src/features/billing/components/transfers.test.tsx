import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PartByTransfer } from '@/domain/payment/part-by-transfer';
import { TransferOffer } from '@/domain/payment/transfer-offer';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { orderRow } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids } from '@/testing/subscription-factories';
import { setup } from './billing.fixture';
import { TransferPage } from './transfer-page';
import { transfer } from './transfers.fixture';

const bill = transfer();
const at = `/subscription_list/transfers/${bill.id}`;
const routes = [
  { path: 'subscription_list/transfers/:id', element: <TransferPage /> },
  ...[false, true].map((despiteDebit) => ({
    path: despiteDebit ? 'despite' : 'offer',
    element: (
      <TransferOffer
        charge={{ of: 'renewal', selection: { subscription_id: ids.subscription } }}
        expectedTotal={15930000}
        back="/offer"
        despiteDebit={despiteDebit}
      />
    ),
  })),
];

beforeEach(() => startSession(franchiserUser({ is_active: true })));

test('asking for a transfer with an order number opens the account to transfer to', async () => {
  const asked = answer('post', '/transfers/renewal', bill, 'We activate your order when the money arrives.');
  answer('get', '/transfers/{id}', bill);
  const { user } = renderRoutes(routes, { at: '/offer' });
  await user.click(screen.getByRole('button', { name: /Pay by bank transfer/ }));
  await user.type(screen.getByLabelText(/Your purchase order number/), ' PO 4711 ');
  await user.click(screen.getByRole('button', { name: 'Get the bank details' }));
  expect(await screen.findByRole('heading', { name: 'Transfer to this account' })).toBeVisible();
  expect(asked.bodies).toEqual([{ subscription_id: ids.subscription, expected_total: 15930000, po_number: 'PO 4711' }]);
  expect(asked.requests[0]?.headers.get('Idempotency-Key')).toBeTruthy();
});

test('a transfer needs a confirmation while a debit is undecided', async () => {
  const asked = answer('post', '/transfers/renewal', bill, 'We activate your order when the money arrives.');
  answer('get', '/transfers/{id}', bill);
  const { user } = renderRoutes(routes, { at: '/despite' });
  await user.click(screen.getByRole('button', { name: /Pay by bank transfer/ }));
  await user.click(screen.getByRole('button', { name: 'Get the bank details anyway' }));
  expect(await screen.findByRole('heading', { name: 'Transfer to this account' })).toBeVisible();
  expect(asked.bodies).toEqual([
    { subscription_id: ids.subscription, expected_total: 15930000, po_number: '', pay_despite_debit: true },
  ]);
});

test('an amount that is too small says so and leads nowhere', async () => {
  refuse('post', '/transfers/renewal', 409, { code: 'below_transfer_minimum', message: 'This amount is too small.' });
  const { user } = renderRoutes(routes, { at: '/offer' });
  await user.click(screen.getByRole('button', { name: /Pay by bank transfer/ }));
  await user.click(screen.getByRole('button', { name: 'Get the bank details' }));
  expect((await screen.findAllByText(/too small/)).length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: 'Get the bank details' })).toBeVisible();
});

test('the page copies the account, names the deductions, and takes the number of the transfer', async () => {
  const copied = vi.fn().mockResolvedValue(undefined);
  answer('get', '/transfers/{id}', bill);
  const told = answer('post', '/transfers/{id}/utr', { ...bill, told_utr: 'HDFCR52026112500001' }, 'Thank you.');
  const { user, container } = renderRoutes(routes, { at });
  expect(await screen.findByText('50200012345678')).toBeVisible();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copied);
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Copy Exact amount' }));
  expect(copied).toHaveBeenCalledWith('159300.00');
  expect(screen.getByText(/At 10%: deduct ₹13,500, transfer ₹1,45,800/)).toBeVisible();
  await user.type(screen.getByLabelText(/UTR of the transfer/), 'x');
  await user.click(screen.getByRole('button', { name: 'Tell us the UTR' }));
  expect(
    (await screen.findAllByText(/A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI/))
      .length,
  ).toBeGreaterThan(0);
  await user.clear(screen.getByLabelText(/UTR of the transfer/));
  await user.type(screen.getByLabelText(/UTR of the transfer/), 'SBІN526039123456'); // with a Cyrillic letter
  await user.click(screen.getByRole('button', { name: 'Tell us the UTR' }));
  expect(screen.getByLabelText(/UTR of the transfer/)).toBeInvalid();
  expect(told.bodies).toEqual([]);
  await user.clear(screen.getByLabelText(/UTR of the transfer/));
  await user.type(screen.getByLabelText(/UTR of the transfer/), 'ｈdfcr5 ２02611250000१');
  expect(screen.getByLabelText(/UTR of the transfer/)).toHaveValue('hdfcr5 2026112500001');
  await user.click(screen.getByRole('button', { name: 'Tell us the UTR' }));
  expect(await screen.findByRole('button', { name: 'Change the UTR' })).toBeVisible();
  expect(told.bodies).toEqual([{ utr: 'hdfcr5 2026112500001' }]);
});

test('a part that arrived, an expired offer and a paid bill each say what to do', async () => {
  answer('get', '/transfers/{id}', {
    ...bill,
    received: '₹50,000',
    received_paise: 5000000,
    rest: '₹1,09,300',
    exact_rest: '109300.00',
  });
  const part = renderRoutes(routes, { at });
  expect(await screen.findByText('We have received ₹50,000. ₹1,09,300 is still due.')).toBeVisible();
  part.unmount();
  answer('get', '/transfers/{id}', { ...bill, state: 'expired' });
  const late = renderRoutes(routes, { at });
  expect(await screen.findByText(/This offer has expired/)).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Transfer to this account' })).not.toBeInTheDocument();
  expect(screen.getByLabelText(/UTR of the transfer/)).toBeVisible();
  late.unmount();
  answer('get', '/transfers/{id}', { ...bill, state: 'paid', rest: '₹0', paid_at: '2026-11-26T05:30:00Z' });
  renderRoutes(routes, { at });
  expect(await screen.findByText(/The money has arrived/)).toBeVisible();
  expect(screen.queryByLabelText(/UTR of the transfer/)).not.toBeInTheDocument();
});

test('billing lists the proformas where transfers are offered', async () => {
  const { user, container } = setup({ transfers: [bill] });
  await user.click(await screen.findByRole('tab', { name: 'Bank transfers' }));
  expect(await screen.findByRole('link', { name: /Details PF\/26-27\/000001/ })).toHaveAttribute('href', at);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('shows deducted tax and an overpayment as separate lines', async () => {
  answer('get', '/transfers/{id}', {
    ...bill,
    state: 'paid',
    cancellable: false,
    tds: '₹13,500',
    tds_paise: 13_500_00,
    over: '₹2,000',
    over_paise: 2_000_00,
  });
  renderRoutes(routes, { at });
  expect(await screen.findByText('Income tax deducted (TDS)')).toBeVisible();
  expect(screen.getByText('₹13,500')).toBeVisible();
  expect(screen.getByText('Overpaid, still yours')).toBeVisible();
  expect(screen.getByText('₹2,000')).toBeVisible();
  expect(screen.queryByText('GST deducted')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Cancel the proforma' })).not.toBeInTheDocument();
});

test('cancels an unpaid proforma after a confirmation, and shows why the server refuses to cancel', async () => {
  answer('get', '/transfers/{id}', bill);
  refuse('post', '/transfers/{id}/cancel', 409, {
    code: 'proforma_partly_received',
    message: 'Money has arrived for this proforma.',
  });
  const { user, container } = renderRoutes(routes, { at });
  await user.click(await screen.findByRole('button', { name: 'Cancel the proforma' }));
  expect(await screen.findByRole('dialog', { name: 'Cancel proforma PF/26-27/000001?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, cancel it' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/Money has arrived/);
  const asked = answer('post', '/transfers/{id}/cancel', { ...bill, state: 'cancelled', cancelled_by: 'customer' });
  answer('get', '/transfers/{id}', { ...bill, state: 'cancelled', cancelled_by: 'customer', cancellable: false });
  await user.click(screen.getByRole('button', { name: 'Yes, cancel it' }));
  expect(await screen.findByText(/You cancelled this proforma/)).toBeVisible();
  expect(asked.requests).toHaveLength(1);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('shows money that has arrived but is not assigned, and does not demand it again', async () => {
  answer('get', '/transfers/{id}', { ...bill, unassigned: '₹1,56,600', unassigned_paise: 1_56_600_00 });
  renderRoutes(routes, { at });
  expect(await screen.findByText(/^₹1,56,600 has arrived on your account number\./)).toBeVisible();
  expect(screen.getByText('Arrived, being checked')).toBeVisible();
});

test('a paid proforma has no expiry date and explains the overpayment', async () => {
  answer('get', '/transfers/{id}', { ...bill, state: 'paid', over: '₹700', over_paise: 70_000, cancellable: false });
  renderRoutes(routes, { at });
  expect(await screen.findByText(/You transferred ₹700 too much. It is yours/)).toBeVisible();
  expect(screen.queryByText('Valid until')).toBeNull();
});

const part = transfer({ received: '₹1,00,000', received_paise: 10_000_000, rest: '₹59,300' });

test('an order of which a part came by transfer is not paid online from its row', async () => {
  const unpaid = orderRow({ subscription_status_value: 'Inactive', invoice_id: null, documents: [] });
  setup({ orders: [unpaid], transfers: [{ ...part, order_id: unpaid.id }] });
  expect(await screen.findByText('₹1,00,000 has arrived by bank transfer, ₹59,300 is still due.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the transfer' })).toHaveAttribute(
    'href',
    `/subscription_list/transfers/${part.id}`,
  );
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
});

test('who pays online is told that a part of a bill came by transfer', async () => {
  answer('get', '/transfers', { offered: true, minimum_paise: 0, transfers: [part] });
  renderRoutes([{ path: 'pay', element: <PartByTransfer /> }], { at: '/pay' });
  expect(await screen.findByText(/^₹1,00,000 has arrived by bank transfer for PF\/26-27\/000001/)).toBeVisible();
});
