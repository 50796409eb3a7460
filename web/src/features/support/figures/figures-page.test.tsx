import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { Figures } from '../api/figures';
import type { StaffMember } from '../api/support';
import { FiguresPage } from './figures-page';

const month: Figures['recurring'][number] = {
  month: '2026-10',
  opening_paise: 0,
  new_paise: 30_000_00,
  expansion_paise: 0,
  reactivation_paise: 0,
  moved_in_paise: 0,
  contraction_paise: 0,
  churn_paise: 0,
  moved_out_paise: 0,
  closing_paise: 30_000_00,
  opening_customers: 0,
  new_customers: 2,
  reactivated_customers: 0,
  moved_in_customers: 0,
  churned_customers: 0,
  moved_out_customers: 0,
  closing_customers: 2,
  customer_churn_bps: null,
  gross_churn_bps: null,
  net_churn_bps: null,
  arpa_paise: 15_000_00,
};

const figures: Figures = {
  as_of: '2026-11-25',
  counted_at: '2026-11-25T20:15:00Z',
  differences: 0,
  from: '2026-10',
  to: '2026-11',
  plans: [{ id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50', name: 'Start up' }],
  states: [{ id: '29', name: 'Karnataka' }],
  definitions: [
    { figure: 'recurring', title: 'Monthly recurring revenue', text: 'Trials do not count.' },
    { figure: 'churn', title: 'Churn', text: 'The share of the customers who left.' },
    { figure: 'average', title: 'Average revenue per customer', text: 'Closing MRR by customer.' },
    { figure: 'trials', title: 'Trial conversion', text: 'Within 60 days.' },
    { figure: 'cohorts', title: 'Cohorts', text: 'By the month of the first paid term.' },
    { figure: 'failures', title: 'Failed-payment recovery', text: 'Within 14 days.' },
    { figure: 'codes', title: 'Delivery of one-time codes', text: 'As the provider says.' },
  ],
  recurring: [
    month,
    {
      ...month,
      month: '2026-11',
      opening_paise: 30_000_00,
      new_paise: 0,
      churn_paise: 12_500_00,
      expansion_paise: 15_000_00,
      closing_paise: 32_500_00,
      opening_customers: 2,
      new_customers: 0,
      churned_customers: 1,
      closing_customers: 1,
      customer_churn_bps: 5000,
      gross_churn_bps: 4167,
      net_churn_bps: -833,
      arpa_paise: 32_500_00,
    },
  ],
  trials: [{ month: '2026-10', started: 4, converted: 1, undecided: 2, conversion_bps: 5000 }],
  cohorts: [
    { cohort: '2026-10', after: 0, started: 2, customers: 2, mrr_paise: 30_000_00 },
    { cohort: '2026-10', after: 1, started: 0, customers: 1, mrr_paise: 32_500_00 },
  ],
  failures: [
    {
      month: '2026-11',
      by_mandate: true,
      failed: 3,
      recovered: 2,
      undecided: 0,
      failed_paise: 44_250_00,
      recovered_paise: 29_500_00,
      recovery_bps: 6667,
    },
  ],
  codes: [],
};

function page(shown: Partial<Figures> = {}, role: StaffMember['role'] = 'finance') {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ id: 'x', email: 'a@example.in', name: 'Asha', role })),
    mock.get('/api/support/figures', ({ request }) => {
      asked.push(new URL(request.url).search);
      return ok({ ...figures, ...shown });
    }),
  );
  return { asked, ...renderRoutes([{ path: '/', Component: FiguresPage }]) };
}

const table = async (name: string) => within(await screen.findByRole('table', { name: `${name} by month` }));

test('each figure has its definition, a chart with its table, and a file', async () => {
  const { container } = page();
  const rows = (await table('Monthly recurring revenue')).getAllByRole('row');
  expect(rows[1]).toHaveTextContent('November 2026₹30,000₹0₹15,000₹0₹0₹0-₹12,500₹0₹32,5001');
  expect(screen.getByText('Trials do not count.')).toBeInTheDocument();
  expect(
    screen.getByRole('img', { name: 'Closing MRR from October 2026 to November 2026, between ₹30,000 and ₹32,500' }),
  ).toBeInTheDocument();
  expect((await table('Churn')).getAllByRole('row')[1]).toHaveTextContent('November 20262150%41.7%-8.3%');
  expect((await table('Churn')).getAllByRole('row')[2]).toHaveTextContent('–');
  expect((await table('Cohorts')).getAllByRole('row')[2]).toHaveTextContent('50%₹32,500');
  expect(
    screen.getByRole('img', { name: 'Customers retained from month 0 to month 1, between 50% and 100%' }),
  ).toBeInTheDocument();
  expect((await table('Failed-payment recovery')).getAllByRole('row')[1]).toHaveTextContent('Mandate');
  expect(screen.getByText('No code was asked for in these months.')).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'CSV of churn' })).toHaveAttribute(
    'href',
    '/api/support/figures/churn/file',
  );
  expect(screen.queryByRole('link', { name: /CSV of delivery/ })).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('plan, State and months limit the figures and their files', async () => {
  const { asked } = page();
  await table('Churn');
  fireEvent.change(await screen.findByLabelText('State'), { target: { value: '29' } });
  await waitFor(() => expect(asked.at(-1)).toBe('?state=29'));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11' } });
  await waitFor(() => expect(asked.at(-1)).toBe('?from=2026-11&state=29'));
  expect(await screen.findByRole('link', { name: 'CSV of churn' })).toHaveAttribute(
    'href',
    '/api/support/figures/churn/file?from=2026-11&state=29',
  );
});

test('who takes out no money gets no files, and differences are said', async () => {
  page({ differences: 2 }, 'auditor');
  expect(await screen.findByText(/2 stored figures differed/)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: /CSV/ })).not.toBeInTheDocument();
});

test('before the first count there is nothing to see', async () => {
  page({ as_of: null, counted_at: null, recurring: [] });
  expect(await screen.findByText(/Nothing is counted yet/)).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});
