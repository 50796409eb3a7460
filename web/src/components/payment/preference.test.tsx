import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { keepPaymentMethod } from '@/lib/payment-method';
import { Preference } from './preference';

afterEach(() => localStorage.clear());

function show(upiLimit: string | null) {
  render(
    <MemoryRouter>
      <Preference back="/plan" upiLimit={upiLimit} />
    </MemoryRouter>,
  );
}

test('says on which method the secure page opens', () => {
  keepPaymentMethod('upi');
  show(null);
  expect(screen.getByText(/opens on UPI/)).toBeVisible();
  expect(screen.queryByText(/at most/)).toBeNull();
});

test('tells a payer who prefers UPI that the total is above its limit', () => {
  keepPaymentMethod('upi');
  show('₹1,00,000');
  expect(screen.getByText(/One UPI payment can be ₹1,00,000 at most/)).toBeVisible();
  expect(screen.queryByText(/opens on UPI/)).toBeNull();
});

test('keeps the preference for a card above the UPI limit', () => {
  keepPaymentMethod('card');
  show('₹1,00,000');
  expect(screen.getByText(/opens on card/)).toBeVisible();
});
