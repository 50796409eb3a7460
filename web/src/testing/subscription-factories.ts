import type { components } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];

/** The ids that the factories use. */
export const ids = {
  plan: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5338',
  service: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5339',
  otherService: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5379',
  addOn: '019ae0c2-9f00-7a11-8f00-4b1d2c3e534b',
  usersAddOn: '019ae0c2-9f00-7a11-8f00-4b1d2c3e534a',
  subscription: '019ae0c2-9f00-7a11-8f00-4b1d2c3e51a8',
  tenant: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5018',
  owned: '019ae0c2-9f00-7a11-8f00-4b1d2c3e520c',
  order: '019ae0c2-9f00-7a11-8f00-4b1d2c3e50e0',
  payment: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5270',
  invoice: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5144',
  creditNote: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5145',
} as const;

export const transactionId = 'FP26112100000001';

function addOn(change: Partial<Schemas['AddOn']> = {}): Schemas['AddOn'] {
  return {
    id: ids.addOn,
    add_ons_service_name: 'Franchise extension',
    limit: 10,
    monthly_amount: '₹7,000',
    yearly_amount: '₹84,000',
    monthly_amount_value: 7000,
    yearly_amount_value: 84000,
    charged_once: false,
    ...change,
  };
}

export function planService(change: Partial<Schemas['PlanService']> = {}): Schemas['PlanService'] {
  return {
    id: ids.service,
    service_name: 'Expansion',
    monthly_service_amount: '₹12,500',
    yearly_service_amount: '₹1,50,000',
    yearly_discount_amount: '₹15,000',
    monthly_service_amount_value: 12500,
    yearly_service_amount_value: 150000,
    yearly_discount_amount_value: 15000,
    monthly_charge: '₹14,750',
    yearly_net_amount: '₹1,35,000',
    yearly_charge: '₹1,59,300',
    all_in_yearly_amount: '₹3,60,000',
    franchise_limit: 18,
    subscription_plan_add_ons_services: [
      addOn(),
      addOn({ id: ids.usersAddOn, add_ons_service_name: 'Users extension', limit: 50000 }),
    ],
    ...change,
  };
}

export function plan(change: Partial<Schemas['Plan']> = {}): Schemas['Plan'] {
  return {
    id: ids.plan,
    plan_name: 'Start up',
    most_popular: false,
    yearly_discount: '10%',
    subscription_plan_features: [{ features: 'Own Android and iOS app' }, { features: 'Custom domain' }],
    subscription_plan_service: planService(),
    ...change,
  };
}

export function planDetails(change: Partial<Schemas['PlanDetails']> = {}): Schemas['PlanDetails'] {
  const { subscription_plan_service: first, ...rest } = plan();
  return {
    ...rest,
    subscription_plan_services: [
      first,
      planService({
        id: ids.otherService,
        service_name: 'Apex',
        franchise_limit: 36,
        yearly_service_amount: '₹2,70,000',
        subscription_plan_add_ons_services: [addOn({ id: ids.usersAddOn, add_ons_service_name: 'Users extension' })],
      }),
    ],
    ...change,
  };
}

export function subscription(change: Partial<Schemas['Subscription']> = {}): Schemas['Subscription'] {
  return {
    id: ids.subscription,
    state: 'active',
    payment_status: 1,
    plan_name: 'Start up',
    service_name: 'Expansion',
    plan_services_id: ids.service,
    plan_type: 'yearly',
    plan_price: '₹1,50,000',
    plan_net_price: '₹1,35,000',
    plan_charge: '₹1,59,300',
    payment_type: 'annually',
    plan_features: ['Own app', 'Custom domain', 'Rewards', 'Inventory', 'Shipping'].map((features) => ({
      features,
      desc: '',
    })),
    plan_start_on: '2026-11-21',
    plan_renew_on: '2027-11-21',
    expired_message: null,
    notice: null,
    notice_tone: 'info',
    franchises: { current: 3, limit: 28 },
    ended_by_refund: false,
    refunds: null,
    scheduled_change: null,
    ...change,
  };
}

export function tenant(change: Partial<Schemas['Tenant']> = {}): Schemas['Tenant'] {
  return {
    id: ids.tenant,
    franchiser_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4fb5',
    store_name: 'Asha Sweets',
    store_username: '9876543210',
    password: null,
    password_set: true,
    domain: 'asha-sweets.franchise360.example',
    custom_domain: null,
    custom_domain_state: 'none',
    ip_address: '203.0.113.10',
    dashboard_url: 'https://asha-sweets.franchise360.example/dashboard/login',
    ...change,
  };
}

export function ownedAddOn(change: Partial<Schemas['OwnedAddOn']> = {}): Schemas['OwnedAddOn'] {
  return {
    id: ids.owned,
    add_ons_service_id: ids.addOn,
    add_ons_service_name: 'Franchise extension',
    add_ons_service_amount: '₹84,000',
    desc: '10 more franchises',
    count: 10,
    next_billing_cycle_status: 1,
    charged_once: false,
    ends_on: '2027-11-20',
    ...change,
  };
}

let deliveries = 0;

export function delivery(change: Partial<Schemas['Delivery']> = {}): Schemas['Delivery'] {
  deliveries += 1;
  return {
    id: `delivery-${deliveries}`,
    name: 'Dedicated account manager',
    delivered_by: 'staff',
    responsible: '',
    state: 'planned',
    late: false,
    promised_on: '2026-11-23',
    needs: '',
    needs_act: '',
    proof: '',
    proof_link: '',
    provided: null,
    files: [],
    delivered_at: change.state === 'delivered' ? '2026-11-20T05:30:00Z' : null,
    ...change,
  };
}

/** What `GET /subscription/dashboard` answers to an account without a plan. */
export function noPlan(change: Partial<Schemas['Dashboard']> = {}): Schemas['Dashboard'] {
  return {
    subscription: null,
    tenant: null,
    connected_dashboard: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
    ...change,
  };
}

/** A payment of the plan that has no outcome yet. */
export const undecided = [{ transaction_id: transactionId, amount: '₹1,59,300' }];
