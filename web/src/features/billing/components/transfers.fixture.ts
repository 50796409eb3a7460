import type { Transfer } from '@/components/payment/api/transfers';

export function transfer(change: Partial<Transfer> = {}): Transfer {
  return {
    id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e50e0',
    order_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e50e1',
    number: 'PF/26-27/000001',
    state: 'open',
    title: 'Start up · Expansion',
    po_number: 'PO 4711',
    amount: '₹1,59,300',
    exact_amount: '159300.00',
    received: '₹0',
    received_paise: 0,
    rest: '₹1,59,300',
    exact_rest: '159300.00',
    account_number: '50200012345678',
    ifsc: 'HDFC0000360',
    beneficiary: 'Franchise 360 Private Limited',
    bank: 'HDFC Bank',
    own_account: false,
    deductibles: [{ rate_bps: 1000, amount: '₹13,500', transfer: '₹1,45,800' }],
    told_utr: '',
    printed: true,
    valid_until: '2026-12-10T05:30:00Z',
    created_at: '2026-11-25T05:30:00Z',
    paid_at: null,
    ...change,
  };
}
