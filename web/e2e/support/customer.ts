import { randomUUID } from 'node:crypto';
import { request, type APIRequestContext } from 'playwright-core';
import { expect } from 'vitest';
import { codeFor, type Person } from './people';
import { ownStack, siteUrl } from './own-stack';

/** A user of the API alone, for what only prepares the screens under test. */
export interface Customer {
  call: <T = unknown>(method: string, path: string, body?: object) => Promise<T>;
  post: (address: string, form: Record<string, string>) => Promise<void>;
  decide: (transactionId: string, outcome: object) => Promise<{ return_url: string; fields: Record<string, string> }>;
}

/** The API calls of a browser's session, or of a separate session. */
export function customerOf(context: APIRequestContext): Customer {
  const site = siteUrl();
  const headers = async () => {
    const { cookies } = await context.storageState();
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value;
    return {
      Origin: site,
      'Sec-Fetch-Site': 'same-origin',
      'Idempotency-Key': randomUUID().replaceAll('-', ''),
      ...(token && { 'X-XSRF-TOKEN': decodeURIComponent(token) }),
    };
  };
  return {
    call: async <T>(method: string, path: string, body?: object) => {
      const answer = await context.fetch(`${site}/api/franchise${path}`, {
        method,
        data: body,
        headers: await headers(),
      });
      const text = await answer.text();
      expect(answer.status(), `${method} ${path}: ${text}`).toBe(200);
      return (JSON.parse(text) as { data: T }).data;
    },
    post: async (address, form) => {
      const answer = await context.post(address, { form, maxRedirects: 0 });
      expect(answer.status(), address).toBeLessThan(400);
    },
    decide: async (transactionId, outcome) => {
      const answer = await context.post(`${ownStack().gateway}/sandbox/payments/${transactionId}/outcome`, {
        data: outcome,
      });
      expect(answer.status(), await answer.text()).toBe(200);
      return (await answer.json()) as { return_url: string; fields: Record<string, string> };
    },
  };
}

/** Signs a person up through the API alone. Dispose of the context afterwards. */
export async function newCustomer(person: Person, trial = false): Promise<[Customer, APIRequestContext]> {
  const context = await request.newContext({ timeout: 120_000 });
  const customer = customerOf(context);
  const { mobile, email, password } = person;
  await customer.call('POST', '/register', {
    mobile,
    email,
    password,
    first_name: 'Asha',
    ...(trial && { free_trial: 1 }),
  });
  const { otp_verification_id: verification_id } = await customer.call<{ otp_verification_id: string }>(
    'POST',
    '/mobile/validate-otp',
    { mobile, otp: await codeFor(mobile) },
  );
  await customer.call('POST', '/register', { mobile, verification_id });
  return [customer, context];
}

/** A business in Pune: the place of supply is Maharashtra, the supplier's own State. */
export async function saveAddress(customer: Customer): Promise<void> {
  await customer.call('POST', '/profile/address', {
    address: '12/4, Second floor',
    street: 'Sunrise Towers, Block B',
    landmark: 'Opp. City Mall',
    country_id: 'IN',
    state_id: '27',
    city_id: '27-pune',
    zipcode: '411001',
    location: 'Camp, Pune, Maharashtra 411001, India',
    legal_name: 'Asha Sweets',
  });
}

/** Creates the person's store; its username is the mobile number. */
export async function addStore(customer: Customer, person: Person, name: string): Promise<void> {
  const [type] = await customer.call<{ id: string }[]>('GET', '/business');
  await customer.call('POST', '/tenant/create', {
    store_username: person.mobile,
    store_password: person.password,
    store_name: name,
    store_type: type?.id,
  });
}

interface Session {
  gateway_details: Record<string, string>;
  transaction_id: string;
}

/** Opens a charge at the gateway, as the redirect form does. */
export async function openCharge(customer: Customer, path: string, body: object): Promise<Session> {
  const session = await customer.call<Session>('POST', path, body);
  const { payment_url, ...fields } = session.gateway_details;
  await customer.post(payment_url ?? '', fields);
  return session;
}

/** Requests a charge, has the gateway capture it, returns, and waits until the product has confirmed it. */
async function pay(customer: Customer, path: string, body: object): Promise<string> {
  const { transaction_id } = await openCharge(customer, path, body);
  const back = await customer.decide(transaction_id, { outcome: 'success', webhook: 'once', return: 'post' });
  await customer.post(back.return_url, back.fields);
  await expect
    .poll(
      async () =>
        (await customer.call<{ state: string }>('GET', `/subscription/payments/status/${transaction_id}`)).state,
      { timeout: 180_000 },
    )
    .toBe('paid');
  return transaction_id;
}

export interface PlanWish {
  /** The plan, its tier and its add-ons by name; the first tier by default. */
  plan: string;
  service?: string;
  type?: 'monthly' | 'yearly';
  addOns?: string[];
}

interface AddOn {
  id: string;
  add_ons_service_name: string;
}

/** The ids of a choice given by display names. */
export async function selectionOf(
  customer: Customer,
  { plan, service, type = 'yearly', addOns = [] }: PlanWish,
): Promise<object> {
  const { subscription_plan: plans } = await customer.call<{ subscription_plan: { id: string; plan_name: string }[] }>(
    'GET',
    '/subscription-plan/list',
  );
  const id = plans.find(({ plan_name }) => plan_name === plan)?.id;
  const [details] = await customer.call<
    {
      subscription_plan_services: { id: string; service_name: string; subscription_plan_add_ons_services: AddOn[] }[];
    }[]
  >('GET', `/subscription-plan/details/${id}`);
  const tier = details?.subscription_plan_services.find(({ service_name }) => !service || service_name === service);
  const chosen =
    tier?.subscription_plan_add_ons_services.filter(({ add_ons_service_name: name }) => addOns.includes(name)) ?? [];
  expect(chosen).toHaveLength(addOns.length);
  return { plan_type: type, plan_services_id: tier?.id, add_ons_service_id: chosen.map((addOn) => addOn.id) };
}

/** Buys a plan, including the payment. */
export async function buyPlan(customer: Customer, wish: PlanWish): Promise<string> {
  return pay(customer, '/subscription/payments/request', await selectionOf(customer, wish));
}
