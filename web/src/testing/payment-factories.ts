import type { components } from '@/lib/api/schema.gen';
import { ids, transactionId } from './subscription-factories';

type Schemas = components['schemas'];

export function preview(change: Partial<Schemas['PaymentPreview']> = {}): Schemas['PaymentPreview'] {
  return {
    subscribe_plan: { label: 'Start up · Expansion', value: '₹1,50,000' },
    add_ons_service: [],
    payment_details: [
      { label: 'Start up · Expansion, yearly', type: 'plan', value: '₹1,50,000' },
      { label: 'Annual payment discount 10%', type: 'discount', value: '-₹15,000' },
      { label: 'IGST 18%', type: 'tax', value: '₹24,300' },
      { label: 'Total', type: 'total', value: '₹1,59,300' },
    ],
    total: '₹1,59,300',
    expected_total: 15930000,
    kind: 'new',
    effective_on: '2026-11-21',
    plan_renew_on: '2027-11-21',
    gateway_details: null,
    renewal_details: null,
    ending_add_ons: [],
    franchises: null,
    by_transfer: false,
    upi_limit: null,
    undecided_debit: null,
    ...change,
  };
}

export const gatewayDetails = {
  payment_url: 'https://gateway.example/_payment',
  key: 'QyT13U',
  txnid: transactionId,
  amount: '159300.00',
  hash: 'not-a-key',
};

export function paymentSession(change: Partial<Schemas['PaymentSession']> = {}): Schemas['PaymentSession'] {
  return {
    gateway_details: gatewayDetails,
    order_id: ids.order,
    transaction_id: transactionId,
    amount: '₹1,59,300',
    redirect_to: null,
    ...change,
  };
}

export function paymentState(change: Partial<Schemas['PaymentState']> = {}): Schemas['PaymentState'] {
  return {
    transaction_id: transactionId,
    state: 'paid',
    reason: null,
    charged: 'charged',
    order_id: ids.order,
    kind: 'new',
    amount: '₹1,59,300',
    invoice_id: ids.invoice,
    invoice_number: 'FP/26-27/000001',
    has_store_details: false,
    cancelled: false,
    poll_after: null,
    refunded: '₹0',
    refunded_value: 0,
    refund_state: 'none',
    captured: '₹1,59,300',
    refunding: '₹0',
    owed: '₹0',
    refunded_at: null,
    refund_channel: null,
    refund_arrives: null,
    taken_again: [],
    documents: [taxDocument()],
    selection: {
      plan_id: ids.plan,
      plan_name: 'Start up',
      plan_type: 'yearly',
      plan_services_id: ids.service,
      add_ons_service_id: [ids.addOn],
    },
    ...change,
  };
}

export function nextBill(change: Partial<Schemas['NextBill']> = {}): Schemas['NextBill'] {
  const { subscribe_plan, add_ons_service, payment_details, total, expected_total } = preview();
  return {
    subscribe_plan,
    add_ons_service,
    payment_details,
    total,
    expected_total,
    subscription_id: ids.subscription,
    state: 'active',
    plan_name: 'Start up',
    service_name: 'Expansion',
    plan_type: 'yearly',
    renew_on: '2027-11-21',
    pay_by: '2027-11-27',
    can_renew: false,
    scheduled_plan: null,
    dropped_add_ons: [],
    debit: null,
    ...change,
  };
}

export function taxDocument(change: Partial<Schemas['TaxDocument']> = {}): Schemas['TaxDocument'] {
  return {
    id: ids.invoice,
    kind: 'invoice',
    number: 'FP/26-27/000042',
    date: '2026-11-21T05:30:00Z',
    amount: '₹1,59,300',
    amount_value: 159300,
    tax: '₹24,300',
    tax_value: 24300,
    reason: '',
    reverses_input_tax: false,
    replaces: '',
    replaced_by: '',
    ...change,
  };
}

export function creditNote(change: Partial<Schemas['TaxDocument']> = {}): Schemas['TaxDocument'] {
  return taxDocument({
    id: ids.creditNote,
    kind: 'credit_note',
    number: 'CN/26-27/000007',
    amount: '₹1,58,000',
    amount_value: 158000,
    tax: '₹24,101.69',
    tax_value: 24101.69,
    reason: 'Plan not needed',
    ...change,
  });
}

export function orderRow(change: Partial<Schemas['OrderRow']> = {}): Schemas['OrderRow'] {
  return {
    id: ids.order,
    plan_name: 'Start up',
    service_name: 'Expansion',
    plan_purchase_date: '2026-11-21',
    plan_end_date: '2027-11-20',
    plan_renew_on: '-',
    subscription_status_value: 'Active',
    franchiser_add_ons_services: [{ add_ons_service_name: 'Users extension' }],
    kind: 'new',
    plan_id: ids.plan,
    plan_type: 'yearly',
    plan_services_id: ids.service,
    add_ons_service_id: [],
    subscription_id: ids.subscription,
    transaction_id: transactionId,
    payable_total: '₹1,59,300',
    list_price: '₹1,50,000',
    invoice_id: ids.invoice,
    invoice_number: 'FP/26-27/000042',
    payment_state: 'paid',
    cancelled: false,
    reason: null,
    refunded: '₹0',
    refunded_value: 0,
    refund_state: 'none',
    captured: '₹1,59,300',
    refunding: '₹0',
    owed: '₹0',
    refunded_at: null,
    refund_channel: null,
    refund_arrives: null,
    taken_again: [],
    documents: [taxDocument()],
    ...change,
  };
}

export function paymentRow(change: Partial<Schemas['PaymentRow']> = {}): Schemas['PaymentRow'] {
  return {
    id: ids.payment,
    invoice_id: ids.invoice,
    invoice_number: 'FP/26-27/000042',
    payment_date: '2026-11-21T05:30:00Z',
    pg_charge: '₹0',
    payable_total: '₹1,59,300',
    payment_slug: 'upi',
    payment_status: 1,
    state: 'paid',
    kind: 'new',
    order_id: ids.order,
    transaction_id: transactionId,
    cancelled: false,
    invoice_total: '₹1,59,300',
    credit_used: null,
    refunded: '₹0',
    refunded_value: 0,
    refund_state: 'none',
    captured: '₹1,59,300',
    refunding: '₹0',
    owed: '₹0',
    refunded_at: null,
    refund_channel: null,
    refund_arrives: null,
    taken_again: [],
    documents: [taxDocument()],
    ...change,
  };
}

/** The pagination fields of a list. */
export function pageOf(total: number, change: { current_page?: number; last_page?: number } = {}) {
  return { current_page: 1, last_page: 1, next_page_url: null, per_page: 10, total, ...change };
}
