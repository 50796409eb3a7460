import { formatMobile } from '@/lib/format';
import type { Hit } from '../api/support';

/** A search that matches nothing: parts that no index reads may exist. */
export const NO_MATCH = 'No match. Type a whole number or id, or the beginning of a name or e-mail address.';

/** What a hit is, in the list of the search. */
export const words: Record<Hit['kind'], string> = {
  tag: 'Tag',
  mobile: 'Mobile',
  customer: 'Customer',
  email: 'E-mail',
  name: 'Name',
  sounds_like: 'Sounds like it',
  legal_name: 'Legal name',
  gstin: 'GSTIN',
  pan: 'PAN',
  store: 'Store',
  domain: 'Domain',
  transaction: 'Transaction',
  payment: 'Payment',
  bank_reference: 'Bank reference',
  gateway_payment: 'Gateway payment',
  order: 'Order',
  subscription: 'Subscription',
  request: 'Request id',
  invoice: 'Invoice',
  credit_note: 'Credit note',
  irn: 'IRN of an e-invoice',
  refund: 'Refund',
  refund_request: 'Request for a refund',
  dispute: 'Dispute',
  mandate: 'Automatic renewal',
  mandate_debit: 'Debit of a renewal',
  proforma: 'Proforma',
  virtual_account: 'Account to transfer to',
  bank_credit: 'Bank transfer (UTR)',
  bank_return: 'Returned transfer (UTR)',
  bank_use: 'Use of a transfer',
  act: 'Request of staff',
  told_utr: 'UTR that the customer reported',
  session: 'Session',
  team_member: 'Person of the team',
  outlet: 'Outlet',
  message: 'Message',
  webhook_event: 'Event told to systems',
  webhook_delivery: 'Delivery of an event',
  connected_system: 'Connected system',
  contact_request: 'Contact request',
  job: 'Job',
  sign_up: 'Sign-up never finished',
};

/** The URL of a hit: its customer's page, or the hit's own page. */
export function placeOf(hit: Hit): string {
  if (hit.customer_id) return `/support/customers/${hit.customer_id}`;
  switch (hit.kind) {
    case 'sign_up':
      return `/support/mobiles/${hit.label}`;
    case 'contact_request':
      return `/support/contacts/${hit.label}`;
    case 'bank_credit':
    case 'bank_return':
      return '/support/transfers?state=open';
    case 'connected_system':
    case 'webhook_event':
    case 'webhook_delivery':
      return '/support/connected';
    default:
      return `/support/jobs?job=${hit.label}`;
  }
}

/** Identifies the hit's customer if the hit itself does not; the number distinguishes customers with the same name. */
export function whose(hit: Hit): string {
  return [hit.name, hit.mobile]
    .filter((one) => one && one !== hit.label)
    .map((one) => (one === hit.mobile ? formatMobile(one) : one))
    .join(' · ');
}
