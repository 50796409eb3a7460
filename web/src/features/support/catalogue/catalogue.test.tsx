import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import type { Catalogue, CatalogueReview } from '../api/catalogue';
import { CatalogueChangePage } from './catalogue-change-page';
import { CataloguePage } from './catalogue-page';
import { instantOf, typed } from './catalogue-words';

const done = <Data,>(data: Data) => ok(data, 'Done.');
const catalogue: Catalogue = {
  version: '2027-04',
  currency: 'INR',
  gst_rates: [{ from: '2017-07-01', rate_bps: 1800 }],
  note: '',
  feature_texts: {},
  plans: [
    {
      plan: 'Start up',
      most_popular: true,
      features: [],
      services: [
        {
          tier: 'Expansion',
          franchise_limit: 18,
          monthly_paise: 12_500_00,
          yearly_paise: 1_50_000_00,
          yearly_discount_paise: 15_000_00,
          all_in_yearly_paise: 1_50_000_00,
          sac: '997331',
          add_ons: [
            {
              key: 'users_app',
              name: 'Users app',
              limit: 1,
              monthly_paise: 7_500_00,
              yearly_paise: 90_000_00,
              once_paise: 0,
              sac: '997331',
            },
          ],
        },
      ],
    },
  ],
};
const review: CatalogueReview = {
  id: 'c1',
  state: 'draft',
  version: '2027-04',
  base_revision: 1,
  edit: 1,
  drafted_by_name: 'Sunita',
  edited_by_name: 'Sunita',
  edited_at: '2026-11-21T05:30:00Z',
  effective_from: null,
  reason: '',
  proposed_by: null,
  proposed_by_name: '',
  approved_by_name: '',
  approval_reason: '',
  ended_by_name: '',
  end_reason: '',
  revision: null,
  outcome: '',
  catalogue,
  differences: [{ place: 'Start up · Expansion', field: 'Month', before: '₹8,000', after: '₹12,500', large: true }],
  problems: [],
  warnings: [],
  outdated: false,
};

function change(shown: Partial<CatalogueReview>, role = 'admin') {
  const sent: unknown[] = [];
  const note = async ({ request }: { request: Request }) => {
    sent.push([new URL(request.url).pathname.replace('/api/support/catalogue/changes/c1/', ''), await request.json()]);
    return done({ ...review, edit: 2 });
  };
  server.use(
    mock.get('/api/support/me', () => done({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/catalogue/changes/c1', () => done({ ...review, ...shown })),
    mock.get('/api/support/catalogue/changes/c1/effect', () =>
      done({
        customers: 12,
        affected: 1,
        tax_changes: false,
        monthly_before_paise: 1_50_000_00,
        monthly_after_paise: 1_51_500_00,
        groups: [
          {
            tier: 'Start up · Expansion',
            plan_type: 'monthly',
            customers: 3,
            dearer: 3,
            cheaper: 0,
            ended: 0,
            before_paise: 37_500_00,
            after_paise: 39_000_00,
          },
        ],
        renewals: [
          {
            customer_id: 'f1',
            customer_name: 'Asha Sweets LLP',
            tier: 'Start up · Expansion',
            plan_type: 'monthly',
            renews_on: '2027-04-21',
            before_paise: 12_500_00,
            after_paise: null,
            total_before_paise: 14_750_00,
            total_after_paise: null,
          },
        ],
        page: 1,
        last_page: 1,
      }),
    ),
    mock.post('/api/support/catalogue/changes/c1/save', note),
    mock.post('/api/support/catalogue/changes/c1/rebase', note),
    mock.post('/api/support/catalogue/changes/c1/propose', note),
    mock.post('/api/support/catalogue/changes/c1/decision', note),
  );
  return {
    sent,
    ...renderRoutes([{ path: '/support/catalogue/:id', element: <CatalogueChangePage /> }], {
      at: '/support/catalogue/c1',
    }),
  };
}

test('an admin edits a draft, sees what is unusual and whom it affects, and proposes it for a time', async () => {
  const { sent, user, container } = change({});
  expect(await screen.findByText('More than half')).toBeVisible();
  expect(await screen.findByText(/1 of 12 customers with a paid plan renews at another price/)).toBeVisible();
  expect(screen.getByRole('row', { name: /Asha Sweets LLP.*₹14,750 Not sold/ })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  const month = screen.getByLabelText('Start up · Expansion · Month, ₹');
  await user.clear(month);
  await user.type(month, '13,000.5x');
  expect(screen.getByText(/in the 1 marked field/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save the draft' }));
  expect(sent).toEqual([]);
  await user.type(month, '{Backspace}');
  await user.click(screen.getByRole('button', { name: 'Save the draft' }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toMatchObject([
    'save',
    { edit: 1, catalogue: { plans: [{ services: [{ monthly_paise: 13_000_50 }] }] } },
  ]);
});

test('a draft is proposed with its time in India and a reason', async () => {
  const { sent, user } = change({});
  await user.click(await screen.findByRole('button', { name: 'Propose' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.clear(dialog.getByLabelText('Effective from'));
  await user.type(dialog.getByLabelText('Effective from'), '2027-04-01');
  await user.type(dialog.getByRole('textbox', { name: /reason|why/i }), 'Costs rose');
  await user.click(dialog.getByRole('button', { name: 'Propose' }));
  await expect
    .poll(() => sent)
    .toEqual([['propose', { edit: 1, effective_from: '2027-03-31T18:30:00.000Z', reason: 'Costs rose' }]]);
});

test('whoever proposed a change does not approve it, a colleague may, and support only looks', async () => {
  const proposed: Partial<CatalogueReview> = {
    state: 'proposed',
    effective_from: '2027-03-31T18:30:00Z',
    proposed_by: 's1',
    proposed_by_name: 'Sunita',
    reason: 'Costs rose',
  };
  const own = change(proposed);
  expect(await screen.findByText('You proposed it, so another admin decides.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  own.unmount();
  server.use(
    mock.get('/api/support/account/ties', () =>
      done({
        days: 7,
        ties: [
          {
            staff_id: 's3',
            until: '2027-03-28T05:30:00Z',
            way: 'enabled',
            opened_at: '2027-03-21T05:30:00Z',
            opened_name: 'Kiran',
            opened_by_name: 'Sunita',
          },
        ],
      }),
    ),
  );
  const tied = change({ ...proposed, proposed_by: 's3' });
  expect(await screen.findByText(/Sunita enabled the account of Kiran/)).toBeVisible();
  for (const name of ['Approve', 'Reject'])
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  tied.unmount();
  const other = change({ ...proposed, proposed_by: 's2' });
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeVisible();
  other.unmount();
  change({ ...proposed, proposed_by: 's2' }, 'support');
  expect(await screen.findByText(/effective from 1 Apr 2027, 00:00 IST/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Approve|Reject|Withdraw|New draft/ })).toBeNull();
});

test('the catalogue shows what is sold, the changes and the history', async () => {
  server.use(
    mock.get('/api/support/me', () => done({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    mock.get('/api/support/catalogue', () =>
      done({
        revision: 1,
        catalogue,
        lawful_rates_bps: [1800],
        history: [
          {
            revision: 1,
            version: '2026-11',
            sold_from: '2026-11-21T05:30:00Z',
            change_id: null,
            proposed_by_name: '',
            approved_by_name: '',
            reason: '',
          },
        ],
      }),
    ),
    mock.get('/api/support/catalogue/changes', () => page([])),
  );
  const { container } = renderRoutes(<CataloguePage />);
  expect(await screen.findByRole('row', { name: /Start up · Expansion 18 ₹12,500/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /2026-11.*Loaded from a file/ })).toBeVisible();
  expect(await screen.findByText('There are none yet.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Begin a draft' })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a day begins at midnight in India, and paise are typed as they are', () => {
  expect(instantOf('2027-04-01', '')).toBe('2027-03-31T18:30:00.000Z');
  expect([typed(12_500_00), typed(12_500_05)]).toEqual(['12500', '12500.05']);
});
