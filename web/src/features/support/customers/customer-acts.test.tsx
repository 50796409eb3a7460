import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { Customer, TimelineEntry } from '../api/customers';
import { useActs } from './customer-acts';
import { admin } from '../money/money-desk.fixture';

const customer = {
  id: 'c1',
  name: '',
  legal_name: 'Asha Sweets',
  store_name: '',
  mobile: '9876543210',
  erased: false,
  open_requests: [],
  team: [],
  mandates: [],
  add_ons: [],
  domain: '',
  state: 'active',
  last_payment: { id: 'p1', state: 'held' },
  open_sessions: 0,
} as unknown as Customer;
const entry = {
  id: 'payment.p1',
  kind: 'payment',
  status: 'held',
  reference: 'FP1',
  title: 'Payment begun',
  details: { payment_id: 'p1' },
} as unknown as TimelineEntry;
function Acts({ customer: of, entry: one }: { customer: Customer; entry: TimelineEntry }) {
  const { forEntry } = useActs(of);
  return forEntry(one);
}

test('money that is asked back already is not offered again', async () => {
  server.use(mock.get('/api/support/me', () => ok(admin)));
  const waits = {
    id: 'r1',
    payment_id: 'p1',
    invoice_id: null,
    kind: 'release' as const,
    state: 'waiting' as const,
    amount: '₹14,749',
    requested_by_name: 'Ravi',
  };
  const cases: [string, Customer, TimelineEntry][] = [
    ['free', customer, entry],
    ['waits', { ...customer, open_requests: [waits] }, entry],
    ['approved', { ...customer, open_requests: [{ ...waits, state: 'approved' }] }, entry],
    ['released', customer, { ...entry, details: { ...entry.details, going_back: true } }],
    ['paid', { ...customer, open_requests: [waits] }, { ...entry, status: 'paid' }],
    ['transfer waits', { ...customer, open_requests: [{ ...waits, kind: 'bank_transfer' }] }, entry],
    ['transfer', { ...customer, open_requests: [{ ...waits, kind: 'bank_transfer', state: 'approved' }] }, entry],
    ['note', { ...customer, open_requests: [{ ...waits, kind: 'credit_note', state: 'approved' }] }, entry],
    ['loss', { ...customer, open_requests: [{ ...waits, kind: 'chargeback', state: 'approved' }] }, entry],
  ];
  renderRoutes(
    <>
      {cases.map(([name, of, one]) => (
        <section key={name} aria-label={name}>
          <Acts customer={of} entry={one} />
        </section>
      ))}
    </>,
  );
  expect(await screen.findByRole('button', { name: 'Give it back' })).toBeVisible();
  expect(screen.getAllByRole('button')).toHaveLength(1);
  for (const name of ['waits', 'paid'])
    expect(screen.getByRole('region', { name })).toHaveTextContent(
      'Ravi asked for ₹14,749 to go back. A second admin has to approve it.',
    );
  expect(screen.getByRole('region', { name: 'approved' })).toHaveTextContent('₹14,749 is on its way back.');
  for (const [name, says] of [
    ['transfer waits', 'Ravi asked for a bank transfer of ₹14,749 to be booked. A second admin has to approve it.'],
    ['transfer', 'A bank transfer of ₹14,749 is being booked.'],
    ['note', '₹14,749 that a bank transfer paid back is being booked, with its credit note.'],
    ['loss', 'The loss of ₹14,749 is being booked.'],
  ] as const)
    expect(screen.getByRole('region', { name })).toHaveTextContent(says);
});

function Help({ customer: of }: { customer: Customer }) {
  const { buttons } = useActs(of);
  return buttons;
}

test('an act that waits for a second admin is not offered again', async () => {
  server.use(mock.get('/api/support/me', () => ok(admin)));
  const waiting = (kind: Customer['open_requests'][number]['kind']): Customer => ({
    ...customer,
    totp_enabled: true,
    open_requests: [
      {
        id: 'a1',
        kind,
        payment_id: kind === 'end_debit' ? 'p1' : null,
        invoice_id: kind === 'correct_recipient' ? 'i1' : null,
        state: 'waiting',
        amount: '₹0',
        requested_by_name: 'Ravi',
      },
    ],
  });
  const invoice = {
    ...entry,
    id: 'invoice.i1',
    kind: 'document',
    status: 'done',
    details: { invoice_id: 'i1', document: 'invoice' },
  } as unknown as TimelineEntry;
  const debit = { ...entry, status: 'pending', details: { ...entry.details, by_mandate: true } };
  const shown: [string, ReactNode][] = [
    ['free', <Help customer={{ ...customer, totp_enabled: true }} />],
    ['cancel', <Help customer={waiting('cancel_plan')} />],
    ['switch', <Help customer={waiting('switch_plan')} />],
    ['authenticator', <Help customer={waiting('reset_authenticator')} />],
    ['mobile', <Help customer={waiting('change_mobile')} />],
    ['invoice free', <Acts customer={waiting('cancel_plan')} entry={invoice} />],
    ['invoice', <Acts customer={waiting('correct_recipient')} entry={invoice} />],
    ['debit', <Acts customer={waiting('end_debit')} entry={debit} />],
  ];
  const sections = shown.map(([name, what]) => (
    <section key={name} aria-label={name}>
      {what}
    </section>
  ));
  renderRoutes(<>{sections}</>);
  const menus = await screen.findAllByRole('button', { name: 'Sign-in' });
  // The lists of closed menus are hidden.
  for (const menu of [...menus, ...screen.queryAllByRole('button', { name: 'Plan' })])
    document.getElementById(menu.getAttribute('aria-controls') ?? '')?.removeAttribute('hidden');
  const offered = (name: string) =>
    within(screen.getByRole('region', { name }))
      .queryAllByRole('button')
      .map((button) => button.textContent);
  const acts = ['Reset authenticator', 'Change a lost mobile', 'Switch the plan', 'Cancel the plan'];
  const of = (name: string) => acts.filter((act) => offered(name).includes(act));
  expect(of('free')).toEqual(acts);
  expect(of('cancel')).toEqual(acts.slice(0, 2));
  expect(of('switch')).toEqual(acts.slice(0, 2));
  expect(of('authenticator')).toEqual(acts.slice(1));
  expect(of('mobile')).toEqual(['Reset authenticator', 'Switch the plan', 'Cancel the plan']);
  expect(offered('invoice free')).toContain('Correct the recipient');
  expect(offered('invoice')).toContain('Send by SMS');
  expect(offered('invoice')).not.toContain('Correct the recipient');
  expect(screen.getByRole('region', { name: 'invoice' })).toHaveTextContent(
    'Ravi asked for “Correct the recipient”. A second admin has to approve it.',
  );
  expect(offered('debit')).toEqual([]);
  expect(screen.getByRole('region', { name: 'debit' })).toHaveTextContent(/Ravi asked for “End /);
});
