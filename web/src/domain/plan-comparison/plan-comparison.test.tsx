import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { refuse } from '@/testing/server';
import { PlanComparison } from './plan-comparison';

const routes = [{ path: 'overview', element: <PlanComparison planType="monthly" /> }];

function setup() {
  refuse('get', '/subscription-plan/list', 503, { code: 'unavailable', message: 'Not now.' });
  const page = renderRoutes(routes, { at: '/overview' });
  return { ...page, table: screen.getByRole('table', { name: /^The plans beside each other/ }) };
}

const cells = (table: HTMLElement, name: string) =>
  [...within(table).getByText(name, { selector: 'th' }).closest('tr')!.querySelectorAll('td')].map(
    (cell) => cell.textContent,
  );

test('a plan has what smaller plans have, and each can be chosen from the head', async () => {
  const { table, container } = setup();
  expect(cells(table, 'Custom domain')).toEqual(['Yes', 'Yes', 'Yes', 'Yes']);
  expect(cells(table, 'Commission structures')).toEqual(['No–', 'Yes', 'Yes', 'Yes']);
  expect(cells(table, 'On-site launch support')).toEqual(['No–', 'No–', 'No–', 'Yes']);
  expect(cells(table, 'Paid annually')[1]).toBe('₹1,62,000 a year');
  expect(within(table).queryByText(/Everything in/)).not.toBeInTheDocument();
  for (const [name, slug] of Object.entries({ 'Start up': 'start-up', Growth: 'growth', Elite: 'elite' })) {
    const link = within(table).getByRole('link', { name: `Choose ${name}` });
    expect(link).toHaveAttribute('href', `/plan/${slug}/monthly/${slug}`);
  }
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('one tap picks the plan that a narrow screen shows', async () => {
  const { user, table } = setup();
  const shown = () => table.querySelector('thead .is-shown .comparison-name')?.textContent;
  expect(shown()).toBe('Growth');
  await user.click(screen.getByRole('radio', { name: 'Elite' }));
  expect(shown()).toBe('Elite');
});
