import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { Tabs, type TabsProps } from './tabs';

const reached = vi.fn();
const items: TabsProps['items'] = [
  { id: 'orders', label: 'Orders', content: <p>All orders</p> },
  { id: 'payments', label: 'Payments', content: <p>All payments</p>, onReach: reached },
  { id: 'invoices', label: 'Invoices', content: <p>All invoices</p> },
];

function open(at = '/billing', props: Partial<TabsProps> = {}) {
  reached.mockReset();
  return renderRoutes([{ path: 'billing', element: <Tabs label="Billing" items={items} {...props} /> }], { at });
}
const tab = (name: string) => screen.getByRole('tab', { name });
const panel = () => screen.getByRole('tabpanel');

test('the first tab is open, names its panel, and is the only tab in the tab order', async () => {
  const { container, user } = open();
  expect(screen.getByRole('tablist', { name: 'Billing' })).toBeVisible();
  expect(tab('Orders')).toHaveAttribute('aria-selected', 'true');
  expect(panel()).toHaveAccessibleName('Orders');
  expect(panel()).toHaveTextContent('All orders');
  await user.tab();
  expect(tab('Orders')).toHaveFocus();
  await user.tab();
  expect(tab('Payments')).not.toHaveFocus();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the address opens a tab, and an unknown one the first', () => {
  const { unmount } = open('/billing?tab=invoices');
  expect(panel()).toHaveTextContent('All invoices');
  unmount();
  open('/billing?tab=nonsense');
  expect(panel()).toHaveTextContent('All orders');
});

test('choosing a tab puts it into the address, in place of the page of the other', async () => {
  const { user, router } = open('/billing?search=FP1&page=3', { resets: 'page' });
  await user.click(tab('Payments'));
  expect(panel()).toHaveTextContent('All payments');
  expect(router.state.location.search).toBe('?search=FP1&tab=payments');
  expect(router.state.historyAction).toBe('REPLACE');
});

test('the arrows go round the tabs, Home and End to the outer ones; the focus goes along', async () => {
  const { user } = open();
  tab('Orders').focus();
  const steps: [string, string][] = [
    ['{ArrowRight}', 'Payments'],
    ['{End}', 'Invoices'],
    ['{ArrowRight}', 'Orders'],
    ['{ArrowLeft}', 'Invoices'],
    ['{Home}', 'Orders'],
  ];
  for (const [key, name] of steps) {
    await user.keyboard(key);
    expect(tab(name)).toHaveFocus();
    expect(tab(name)).toHaveAttribute('aria-selected', 'true');
  }
});

test('leaves other keys to the browser', async () => {
  const { user, router } = open();
  tab('Orders').focus();
  await user.keyboard('x{ArrowDown}');
  expect(tab('Orders')).toHaveFocus();
  expect(router.state.location.search).toBe('');
});

test('a tab is not left while something would be lost', async () => {
  const mayLeave = vi.fn(() => false);
  const { user, router } = open('/billing', { mayLeave });
  await user.click(tab('Payments'));
  expect(mayLeave).toHaveBeenCalledExactlyOnceWith('payments');
  expect(panel()).toHaveTextContent('All orders');
  expect(router.state.location.search).toBe('');
});

test('the open tab is not asked about when it is pressed again', async () => {
  const mayLeave = vi.fn(() => false);
  const { user } = open('/billing', { mayLeave });
  await user.click(tab('Orders'));
  expect(mayLeave).not.toHaveBeenCalled();
});

test('a tab that is pointed at may fetch what it needs', async () => {
  const { user } = open();
  await user.hover(tab('Payments'));
  expect(reached).toHaveBeenCalled();
});
