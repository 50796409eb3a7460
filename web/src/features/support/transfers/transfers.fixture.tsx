import { renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import { TransfersPage } from './transfers-page';

export const proposal = {
  proforma_id: 'p1',
  number: 'PF/26-27/000001',
  customer_name: 'Asha Sweets LLP',
  basis: 'utr',
  fit: 'tds',
  due_paise: 1_59_300_00,
  amount_paise: 1_45_800_00,
  tds_paise: 13_500_00,
  tds_rate_bps: 1000,
  gst_tds_paise: 0,
  off_paise: 0,
  over_paise: 0,
  expired: false,
};
export const use = {
  id: 'u1',
  kind: 'order',
  number: 'PF/26-27/000001',
  amount_paise: 1_45_800_00,
  tds_paise: 13_500_00,
  gst_tds_paise: 0,
  utr: '',
  state: 'waiting',
  reason: 'Confirmed by phone',
  requested_by: 's2',
  requested_by_name: 'Kiran',
  requested_at: '2026-11-25T05:30:00Z',
  decided_by_name: '',
  failure: '',
};
export const credit = {
  id: 'c1',
  source: 'statement',
  utr: 'HDFCR52026112500001',
  amount_paise: 1_45_800_00,
  rest_paise: 1_45_800_00,
  returnable_paise: 1_45_800_00,
  held_paise: 0,
  entered_by: null as string | null,
  paid_at: '2026-11-24T18:30:00Z',
  payer_name: 'Asha Sweets LLP',
  payer_account: '',
  narration: 'NEFT CR',
  state: 'open',
  note: '',
  customer_id: null,
  customer_name: '',
  uses: [] as object[],
  proposals: [proposal],
};

export function open(role: string, rows: object[], at = '/', bills: object[] = []) {
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Meera', email: 'meera@example.in', role })),
    mock.get('/api/support/bank-credits', () => page(rows)),
    mock.get('/api/support/transfers', () => page(bills)),
  );
  return renderRoutes(<TransfersPage />, { at });
}

/** Collects the bodies posted to a path. */
export function posted(
  path: '/api/support/bank-credits' | '/api/support/bank-credits/c1/uses' | '/api/support/bank-credit-uses/u1/decision',
) {
  const bodies: unknown[] = [];
  server.use(
    mock.post(path, async ({ request }) => {
      bodies.push(await request.json());
      return path.endsWith('bank-credits') ? ok([], 'Done.') : ok(use, 'Done.');
    }),
  );
  return bodies;
}

export const proforma = {
  id: 'p1',
  number: 'PF/26-27/000001',
  customer_id: 'f1',
  customer_name: 'Asha Sweets LLP',
  title: 'Start up · Expansion',
  po_number: '',
  amount: '₹1,59,300',
  received: '₹0',
  rest: '₹1,59,300',
  tds: '₹13,500',
  tds_paise: 13_500_00,
  gst_tds: '₹0',
  gst_tds_paise: 0,
  over: '₹0',
  over_paise: 0,
  unassigned: '₹0',
  unassigned_paise: 0,
  told_utr: '',
  valid_until: '2026-12-10T05:30:00Z',
  state: 'open',
  cancelled_by: '',
  cancellable: true,
};
