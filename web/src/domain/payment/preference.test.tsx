import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { keepPaymentMethod, readPaymentMethod } from '@/lib/payment-method';
import { Preference } from './preference';

afterEach(() => localStorage.clear());

test('shows the kept method and keeps another one', async () => {
  keepPaymentMethod('upi');
  render(<Preference upiLimit={null} />);
  expect(screen.getByRole('radio', { name: 'UPI' })).toBeChecked();
  expect(screen.queryByText(/at most/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Card' }));
  expect(readPaymentMethod()).toBe('card');
});

test('offers no UPI for a total above its limit, and says why', () => {
  keepPaymentMethod('upi');
  render(<Preference upiLimit="₹1,00,000" />);
  expect(screen.getByText(/One UPI payment can be ₹1,00,000 at most/)).toBeVisible();
  expect(screen.getAllByRole('radio').map((one) => one.closest('label')?.textContent)).toEqual(['Card', 'Netbanking']);
});

test('promises no other way on the payment page, because a gateway may enforce the chosen one', () => {
  render(<Preference upiLimit={null} />);
  expect(screen.getByText(/To pay another way, change it here first/)).toBeVisible();
  expect(screen.queryByText(/every other way/)).toBeNull();
});
