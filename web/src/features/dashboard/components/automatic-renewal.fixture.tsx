import type { components } from '@/lib/api/schema.gen';
import { nextBill } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { ids } from '@/testing/subscription-factories';
import { AutomaticRenewalCard } from './automatic-renewal-card';
import { AutomaticRenewalPage } from './automatic-renewal-page';
import { signIn } from './dashboard.fixture';

type Schemas = components['schemas'];

export const words =
  'Pay ₹14,750, GST included, every month from 20 Dec 2026, at most ₹15,000 per debit. Stop any time here.';

export const choice = (change: Partial<Schemas['MandateChoice']> = {}): Schemas['MandateChoice'] => ({
  method: 'upi',
  consent_version: '1',
  consent_text: words,
  cap: '₹15,000',
  available: true,
  why: null,
  without_payment: false,
  bill: '₹14,750',
  pays_now: '₹14,750',
  opens_on: '-',
  ...change,
});

export const mandate = (change: Partial<Schemas['Mandate']> = {}): Schemas['Mandate'] => ({
  id: ids.order,
  state: 'active',
  authorised: true,
  waits_until: '-',
  reason: null,
  method: 'upi',
  masked: 'as•••@upi',
  cap: '₹15,000',
  ends_on: '2036-12-15',
  consent_text: words,
  consented_at: '2026-12-15T05:30:00Z',
  paused_by_you: false,
  stopping: false,
  paid: false,
  stopped_at: null,
  ended_at: null,
  warning: null,
  advice: null,
  can_pause: true,
  can_resume: false,
  can_stop: true,
  skipped_on: '-',
  can_unskip: false,
  pay_to_start: false,
  next_debit: { on: '2027-01-20', amount: '₹14,750', announced: true, can_skip: true, asked: false },
  ...change,
});

export function setup(change: Partial<Schemas['AutomaticRenewal']> = {}, debit: Schemas['NextBill']['debit'] = null) {
  signIn();
  answer('get', '/subscription/renewals', nextBill({ can_renew: true, debit }));
  answer('get', '/subscription/automatic-renewal', {
    offered: true,
    opens_on: '-',
    subscription_id: ids.subscription,
    choices: [],
    mandate: null,
    replacement: null,
    debits: [],
    events: [],
    ...change,
  });
  return renderRoutes(
    [
      { path: 'dashboard', element: <AutomaticRenewalCard /> },
      { path: 'dashboard/automatic-renewal', element: <AutomaticRenewalPage /> },
      { path: 'checkout/pay', element: <p>Taking you to the gateway</p> },
    ],
    { at: '/dashboard/automatic-renewal' },
  );
}
