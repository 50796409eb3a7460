import { screen, waitFor } from '@testing-library/react';
import { Link, Outlet } from 'react-router';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { DisclosureMenu } from './disclosure-menu';

function open() {
  const bar = (
    <>
      <nav aria-label="Main">
        <DisclosureMenu label="Product">
          <li>
            <Link to="/overview">Overview</Link>
          </li>
          <li>
            <Link to="/pricing">Pricing</Link>
          </li>
        </DisclosureMenu>
      </nav>
      <button>After</button>
      <Outlet />
    </>
  );
  return renderRoutes([{ path: '/', element: bar, children: [{ path: 'overview', element: <h1>Overview</h1> }] }]);
}
const button = () => screen.getByRole('button', { name: 'Product' });
const expectOpen = (isOpen: boolean) => {
  expect(button()).toHaveAttribute('aria-expanded', String(isOpen));
  expect(screen.queryAllByRole('link')).toHaveLength(isOpen ? 2 : 0);
};

test('the button opens and closes the list that it names', async () => {
  const { user, container } = open();
  expectOpen(false);
  await user.click(button());
  expectOpen(true);
  expect(document.getElementById(button().getAttribute('aria-controls') ?? '')).toContainElement(
    screen.getByRole('link', { name: 'Pricing' }),
  );
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(button());
  expectOpen(false);
});

test('Enter opens it and Tab goes on to its links', async () => {
  const { user } = open();
  await user.tab();
  await user.keyboard('{Enter}');
  await user.tab();
  expect(screen.getByRole('link', { name: 'Overview' })).toHaveFocus();
});

test('Esc closes it from inside and goes back to the button', async () => {
  const { user } = open();
  await user.click(button());
  await user.tab();
  await user.keyboard('{Escape}');
  expectOpen(false);
  expect(button()).toHaveFocus();
});

test('a press elsewhere closes it, one inside does not', async () => {
  const { user } = open();
  await user.click(button());
  await user.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('link', { name: 'Overview' }) });
  expectOpen(true);
  await user.pointer({ keys: '[/MouseLeft]', target: document.body });
  await user.click(document.body);
  expectOpen(false);
});

test('leaving it by Tab closes it', async () => {
  const { user } = open();
  await user.click(button());
  await user.tab();
  await user.tab();
  expectOpen(true);
  await user.tab();
  expect(screen.getByRole('button', { name: 'After' })).toHaveFocus();
  expectOpen(false);
});

test('following a link closes it, also the link to the page that is open', async () => {
  const { user } = open();
  for (let times = 0; times < 2; times++) {
    await user.click(button());
    await user.click(screen.getByRole('link', { name: 'Overview' }));
    expect(screen.getByRole('heading', { name: 'Overview' })).toBeVisible();
    expectOpen(false);
  }
});

test('the arrow keys open the list and move round its entries', async () => {
  const { user } = open();
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expectOpen(true);
  expect(screen.getByRole('link', { name: 'Overview' })).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('link', { name: 'Pricing' })).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('link', { name: 'Overview' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expectOpen(false);
  expect(button()).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(screen.getByRole('link', { name: 'Pricing' })).toHaveFocus();
});

test('a pressed entry leaves the focus to the button that opened the list, for the dialog to return it there', async () => {
  const pressed = vi.fn<(focused: Element | null) => void>();
  const { user } = renderRoutes(
    <DisclosureMenu label="Plan">
      <li>
        <button onClick={() => setTimeout(() => pressed(document.activeElement))}>Cancel the plan</button>
      </li>
    </DisclosureMenu>,
  );
  const plan = await screen.findByRole('button', { name: 'Plan' });
  await user.click(plan);
  await user.click(screen.getByRole('button', { name: 'Cancel the plan' }));
  await waitFor(() => expect(pressed).toHaveBeenCalledExactlyOnceWith(plan));
});
