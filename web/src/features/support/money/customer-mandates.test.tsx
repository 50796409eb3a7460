import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import type { Customer } from '../api/customers';
import { CustomerMandates } from './customer-mandates';

type Mandate = Customer['mandates'][number];

const debit: Mandate['debits'][number] = {
  id: 'd1',
  renew_on: '2026-12-21',
  number: 1,
  state: 'failed',
  amount: '₹14,750',
  debit_at: '2026-12-20T00:30:00Z',
  noticed_at: '2026-12-17T00:30:00Z',
  asked_at: '2026-12-20T00:30:00Z',
  decided_at: '2026-12-20T00:41:00Z',
  next_at: null,
  payment_id: 'p1',
  cause: 'insufficient_funds',
  why: 'there was not enough money',
  told: 'Insufficient balance',
};

const mandate: Mandate = {
  id: 'm1',
  state: 'active',
  gateway: 'payu',
  method: 'upi',
  masked: '@okhdfc',
  gateway_id: '999000000012345',
  cap: '₹15,000',
  ends_on: '2036-11-21',
  consent_version: '1',
  consent_text: 'Pay ₹14,750, GST included, every month.',
  consented_at: '2026-11-21T05:30:00Z',
  active_at: '2026-11-21T05:31:00Z',
  held_at: null,
  stop_asked_at: null,
  ended_at: null,
  reason: null,
  debits: [],
  events: [],
};

function open(...mandates: Mandate[]) {
  renderRoutes(<CustomerMandates mandates={mandates} />);
}

test('each debit says what became of it, why, and when', async () => {
  const retry = { ...debit, id: 'd2', number: 2, state: 'noticed' as const, payment_id: null, why: null, told: null };
  open({ ...mandate, state: 'paused', debits: [{ ...retry, debit_at: '2026-12-22T00:30:00Z' }, debit] });
  expect(screen.getByText(/^UPI AutoPay @okhdfc at PayU:/)).toBeVisible();
  expect(screen.getByText('Next debit').nextElementSibling).toHaveTextContent(/^₹14,750 from 22 Dec 2026/);
  expect(screen.getByText('At most per debit').nextElementSibling).toHaveTextContent('₹15,000');
  const [, planned, failed] = screen.getAllByRole('row');
  expect(planned).toHaveTextContent('bank told');
  const cells = within(failed as HTMLElement);
  expect(cells.getByText('there was not enough money. The gateway: Insufficient balance')).toBeVisible();
  expect(cells.getByRole('link', { name: '₹14,750' })).toHaveAttribute('href', '/support/payments/p1');
  expect(cells.getByText(/^Decided 20 Dec 2026/)).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

test('what the customer did is not said as if staff had done it', () => {
  const skipped = { ...debit, state: 'called_off' as const, why: 'You skipped this debit.', told: null };
  open({ ...mandate, debits: [skipped] });
  expect(screen.getByText('The customer skipped this debit.')).toBeVisible();
});

test.each([
  ['paused by the customer', { held_at: '2026-12-01T00:00:00Z' }],
  ['stopped, not confirmed', { stop_asked_at: '2026-12-01T00:00:00Z' }],
  ['revoked', { state: 'revoked' as const, stop_asked_at: '2026-12-01T00:00:00Z', ended_at: '2026-12-01T00:00:05Z' }],
])('a mandate is %s', (words, part) => {
  open({ ...mandate, ...part });
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByText('Nothing was debited by it yet.')).toBeVisible();
  expect(screen.getByText('Next debit').nextElementSibling).toHaveTextContent('None is planned');
});

test('only the newest mandate is open, and only where it is not as it should be', () => {
  open({ ...mandate, state: 'paused' }, { ...mandate, id: 'm2', state: 'revoked' });
  const shown = screen.getAllByText('At most per debit');
  expect(shown[0]).toBeVisible();
  expect(shown[1]).not.toBeVisible();
});

test('a mandate that is as it should be is closed', () => {
  open(mandate);
  expect(screen.getByText('At most per debit')).not.toBeVisible();
});

test('shows nothing without a mandate', () => {
  open();
  expect(screen.queryByRole('heading', { name: 'Automatic renewal' })).not.toBeInTheDocument();
});

test('what happened to a mandate says who did it, and when', () => {
  const at = '2026-12-14T05:30:00Z';
  open({
    ...mandate,
    events: [
      { at, kind: 'ended', by: 'bank', method: 'upi', renew_on: '-', amount: null },
      { at, kind: 'refused', by: 'system', method: 'upi', renew_on: '2026-12-21', amount: '₹17,700' },
      { at, kind: 'paused', by: 'customer', method: 'upi', renew_on: '-', amount: null },
    ],
  });
  expect(screen.getByText(/: Ended by the bank or its app$/)).toBeInTheDocument();
  expect(
    screen.getByText(/: Bill not allowed by the product \(₹17,700, renewal on 21 Dec 2026\)$/),
  ).toBeInTheDocument();
  expect(screen.getByText(/: Paused by the customer$/)).toBeInTheDocument();
});
