import { screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { gatewayDetailsAtom, pendingPaymentAtom } from '@/domain/payment/pending-payment';
import type { Role } from '@/lib/session/roles';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { preview } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, planDetails } from '@/testing/subscription-factories';
import { PlanChoicePage } from './plan-choice-page';

export const routes = [{ path: 'plan/:keyA/:keyB/:keyC', element: <PlanChoicePage /> }];
export const at = `/plan/start-up/annual/${ids.plan}`;
export const reviewPath = `/plan/start-up/annual/${ids.plan}?service=${ids.service}&review=1`;

export function forgetPayment() {
  getDefaultStore().set(pendingPaymentAtom, null);
  getDefaultStore().set(gatewayDetailsAtom, null);
}

export function setup({
  signedIn = false,
  address = at,
  details = planDetails(),
  eraseOn = null as string | null,
  role = 'owner' as Role,
  refused = null as Parameters<typeof refuse>[3] | null,
} = {}) {
  const accountName = role === 'owner' ? null : 'Asha Sweets LLP';
  if (signedIn) startSession(franchiserUser({ erase_on: eraseOn, role, account_name: accountName }));
  answer('get', '/subscription-plan/details/{id}', [details]);
  const quote = answer('post', '/subscription-plan/quote', preview());
  const own = refused
    ? refuse('post', '/subscription/payments/details', 409, refused)
    : answer('post', '/subscription/payments/details', preview());
  return { quote, own, ...renderRoutes(routes, { at: address }) };
}

export const bar = () => screen.findByRole('region', { name: 'Your choice' });
