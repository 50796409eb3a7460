import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { readPaymentMethod } from '@/lib/payment-method';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { PaymentPage } from './payment-page';

const setup = (at = '/payment') => renderRoutes([{ path: 'payment', element: <PaymentPage /> }], { at });
type View = ReturnType<typeof setup>;

const tomorrow = (() => {
  const next = new Date();
  return `${String(next.getMonth() + 1).padStart(2, '0')}${String(next.getFullYear() + 1).slice(-2)}`;
})();

const cardFields = {
  'Card number': '4111 1111 1111 1111',
  'Expiry date': tomorrow,
  CVV: '123',
  'Name on card': 'Asha Kulkarni',
};
const bankFields = {
  'Bank account number': '1234567890123456',
  'Re-enter account number': '1234 5678 9012 3456',
  'IFSC code': 'hdfc0001234',
  'Account name': 'Asha Kulkarni',
};

async function fill({ user }: View, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) if (value) await user.type(screen.getByLabelText(label), value);
}

async function expectError(label: string, message: string) {
  await waitFor(() =>
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(`Error: ${message}`)),
  );
}

describe('the payment preference', () => {
  it.each(['card', 'upi', 'netbanking'])('breaks no accessibility rule on %s', async (method) => {
    const { container } = setup(`/payment?method=${method}`);
    expect(screen.getByText(/Nothing is charged or saved here/)).toBeInTheDocument();
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('moves through its tabs by the arrow keys, the choice in the address', async () => {
    const { user, router } = setup();
    await user.click(screen.getByRole('tab', { name: 'Card' }));
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'UPI' })).toHaveFocus();
    expect(screen.getByLabelText('UPI ID')).toBeInTheDocument();
    await user.keyboard('{End}');
    expect(router.state.location.search).toBe('?method=netbanking');
  });

  it.each([
    ['Card number', '', 'Card number can not be empty.'],
    ['Card number', '4111 1111', 'Please enter a valid card number of 16 digits'],
    ['Expiry date', '', 'Expiry date can not be empty.'],
    ['Expiry date', '0120', 'Invalid expiry date'],
    ['Expiry date', '1399', 'Invalid expiry date'],
    ['CVV', '12', 'Please enter a valid CVV of 3 digits'],
    ['CVV', '', 'CVV can not be empty.'],
    ['Name on card', 'A', 'Please use at least 2 characters'],
    ['Name on card', 'Asha Rani Devi Kulkarni', 'Name on card should be one to three words'],
    ['Name on card', 'Asha-Rani', 'Please enter letters only'],
    ['Name on card', 'A'.repeat(31), 'Name on card should be 30 characters at most'],
  ])('judges the %s "%s"', async (label, value, message) => {
    const view = setup();
    await fill(view, { ...cardFields, [label]: value });
    await view.user.click(screen.getByRole('button', { name: 'Prefer card' }));
    await expectError(label, message);
    expect(readPaymentMethod()).toBeNull();
  });

  it('writes the expiry as MM/YY while it is typed', async () => {
    const { user } = setup();
    await user.type(screen.getByLabelText('Expiry date'), '1229');
    expect(screen.getByLabelText('Expiry date')).toHaveValue('12/29');
    await user.clear(screen.getByLabelText('Expiry date'));
    await user.type(screen.getByLabelText('Expiry date'), '529');
    expect(screen.getByLabelText('Expiry date')).toHaveValue('05/29');
  });

  it('takes a card that runs out this month for good', async () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 30, 12), shouldAdvanceTime: true });
    const view = setup();
    await fill(view, { ...cardFields, 'Expiry date': '1126' });
    await view.user.click(screen.getByRole('button', { name: 'Prefer card' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
    vi.useRealTimers();
  });

  it('sends nothing, keeps the method alone and goes to the plans', async () => {
    const view = setup();
    await fill(view, cardFields);
    await view.user.click(screen.getByRole('button', { name: 'Prefer card' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
    expect(readPaymentMethod()).toBe('card');
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/4111|Kulkarni/);
  });

  it.each([
    ['', 'UPI ID can not be empty.'],
    ['asha', 'Please enter your valid UPI ID'],
    ['asha@', 'Please enter your valid UPI ID'],
    ['@okbank', 'Please enter your valid UPI ID'],
  ])('judges the UPI ID "%s"', async (value, message) => {
    const view = setup('/payment?method=upi');
    await fill(view, { 'UPI ID': value });
    await view.user.click(screen.getByRole('button', { name: 'Prefer UPI' }));
    await expectError('UPI ID', message);
  });

  it.each(['asha@okbank', 'asha@example.in'])('takes the UPI ID %s; a free trial goes to its store', async (value) => {
    const view = setup('/payment?method=upi&segment=free-trial');
    await fill(view, { 'UPI ID': value });
    await view.user.click(screen.getByRole('button', { name: 'Prefer UPI' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/store-details');
  });

  it.each([
    ['Bank account number', '123', 'Please enter a valid account number of 16 digits'],
    ['Bank account number', '', 'Bank account number can not be empty.'],
    ['Re-enter account number', '1234567890123457', 'Bank Account number and this should be the same'],
    ['Re-enter account number', '', 'Re-entered account number can not be empty.'],
    ['IFSC code', 'HDFC1001234', 'Please enter valid IFSC code'],
    ['IFSC code', 'HDF00001234', 'Please enter valid IFSC code'],
    ['IFSC code', 'HDFC000123', 'Please enter valid IFSC code'],
    ['IFSC code', '', 'IFSC code can not be empty.'],
    ['Account name', 'A', 'Please use at least 2 characters'],
    ['Account name', '', 'Account name can not be empty.'],
  ])('judges the %s "%s"', async (label, value, message) => {
    const view = setup('/payment?method=netbanking');
    await fill(view, { ...bankFields, [label]: value });
    await view.user.click(screen.getByRole('button', { name: 'Prefer netbanking' }));
    await expectError(label, message);
  });

  it('leads back to the charge that it was opened from', async () => {
    const view = setup('/payment?method=upi&return=%2Fplan%2Fgrowth%2Fannual%2F1%3Freview%3D1');
    await view.user.type(screen.getByLabelText('UPI ID'), 'asha@bank');
    await view.user.click(screen.getByRole('button', { name: 'Prefer UPI' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/plan/growth/annual/1?review=1');
    expect(readPaymentMethod()).toBe('upi');
  });

  it('takes a bank account', async () => {
    startSession(franchiserUser({ is_active: true }));
    const view = setup('/payment?method=netbanking');
    await fill(view, bankFields);
    await view.user.click(screen.getByRole('button', { name: 'Prefer netbanking' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/store-details');
    expect(readPaymentMethod()).toBe('netbanking');
  });

  it('forgets what was typed when the method is changed', async () => {
    const view = setup();
    await fill(view, cardFields);
    await view.user.click(screen.getByRole('tab', { name: 'UPI' }));
    await view.user.click(screen.getByRole('tab', { name: 'Card' }));
    expect(screen.getByLabelText('Card number')).toHaveValue('');
  });
});
