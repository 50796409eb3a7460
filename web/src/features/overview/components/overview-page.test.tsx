import { screen, within } from '@testing-library/react';
import { delay } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, server } from '@/testing/server';
import { OverviewPage } from './overview-page';

// Current prices never arrive here: the page keeps its build-time prices.
beforeEach(() => server.use(mock.get('/subscription-plan/list', () => delay('infinite'))));

/** The cells of the row with that name in a plan's table. */
function line(table: HTMLElement, name: string) {
  const row = within(table).getByText(name, { selector: 'th' }).closest('tr');
  return [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
}

const paise = (text: string | null) => Math.round(Number((text ?? '').replace(/[₹,−]/g, '')) * 100);

test('the prices are those of the price list, and add up', () => {
  renderRoutes([{ path: 'overview', element: <OverviewPage /> }]);
  const tables = screen
    .getAllByText(/^Prices of .* by tier, excluding GST$/)
    .map((caption) => caption.closest<HTMLElement>('table')!);
  expect(tables).toHaveLength(4);
  const startUp = tables[0]!;
  expect([...startUp.querySelectorAll('thead th')].map((head) => head.textContent)).toEqual([
    'Expansion',
    'Apex',
    'Supreme',
  ]);
  // The price list's example: ₹1,50,000 a year, ₹15,000 less when paid annually.
  expect(line(startUp, 'List price of a year')[0]).toBe('₹1,50,000');
  expect(line(startUp, 'Annual')[0]).toBe('₹1,35,000');
  expect(line(startUp, 'Additional 10% off, paid annually')[0]).toBe('−₹15,000');
  expect(line(startUp, 'Franchises, up to')).toEqual(['18', '36', '108']);

  // Ten per cent of ₹11,19,744.
  expect(line(tables[3]!, 'Additional 10% off, paid annually')[2]).toBe('−₹1,11,974.40');
  for (const table of tables) {
    const yearly = line(table, 'List price of a year').map(paise);
    const off = line(table, 'Additional 10% off, paid annually').map(paise);
    const monthly = line(table, 'Monthly').map(paise);
    yearly.forEach((price, tier) => {
      expect(off[tier]! * 10).toBe(price);
      expect(monthly[tier]! * 12).toBe(price);
      expect(price).toBeGreaterThan(yearly[tier - 1] ?? 0);
    });
    for (const cell of table.querySelectorAll('tbody td')) expect(cell).not.toHaveTextContent(/NaN|undefined|₹0$/);
  }
});

// Queried by labels and tags: a search by role over the whole page takes seconds.
test('one plan is called the most popular, and every plan says what it has', () => {
  renderRoutes([{ path: 'overview', element: <OverviewPage /> }]);
  expect(screen.getAllByText('Most popular')).toHaveLength(1);
  for (const name of ['Start up', 'Growth', 'Pinnacle', 'Elite']) {
    const plan = screen.getByLabelText(new RegExp(`^${name}`), { selector: 'section' });
    expect(plan.querySelectorAll('li').length).toBeGreaterThan(0);
  }
  expect(screen.getByText('Explore Our Plans').closest('a')).toHaveAttribute('href', '/pricing');
});
