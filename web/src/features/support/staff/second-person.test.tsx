import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import type { StaffTie } from '../api/staff';
import { ReversalsPage } from '../money/customer-reversals-page';
import { admin, reversal } from '../money/money-desk.fixture';
import { ApartHint, DecisionButton, SecondPerson } from './second-person';

const tie: StaffTie = {
  staff_id: 's4',
  until: '2026-11-27T05:30:00Z',
  way: 'invited',
  opened_at: '2026-11-20T05:30:00Z',
  opened_name: 'Priya',
  opened_by_name: 'Vikram',
};
const ties = (list: StaffTie[]) => server.use(mock.get('/api/support/account/ties', () => ok({ days: 7, ties: list })));

function show(askedBy: string) {
  const act = vi.fn();
  const view = renderRoutes(
    <>
      <SecondPerson askedBy={askedBy}>
        <DecisionButton onClick={act}>Approve</DecisionButton>
      </SecondPerson>
      <ApartHint />
    </>,
  );
  return { act, ...view };
}

test.each([
  ['invited', /Vikram invited Priya on 20 Nov 2026, 11:00 IST/],
  ['enabled', /Vikram enabled the account of Priya on/],
  ['role', /Vikram gave Priya another role on/],
  ['reset', /Vikram took part in resetting the authenticator of Priya on/],
] as const)('a decision waits for another where the two may be one person: %s', async (way, why) => {
  ties([{ ...tie, way }]);
  const { act, user, container } = show('s4');
  const note = await screen.findByText(why);
  expect(note).toHaveTextContent('or you from 27 Nov 2026, 11:00 IST on');
  const button = screen.getByRole('button', { name: 'Approve' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription(note.textContent);
  await user.click(button);
  expect(act).not.toHaveBeenCalled();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('other colleagues decide, and the colleague who opens an account sees for how long both cannot', async () => {
  ties([tie]);
  const { act, user, container } = show('s5');
  expect(await screen.findByText(/For 7 days neither of you decides/)).toBeVisible();
  await user.click(within(container).getByRole('button', { name: 'Approve' }));
  expect(act).toHaveBeenCalledTimes(1);
  expect(screen.queryByText(/Vikram/)).not.toBeInTheDocument();
});

test('a refund possibly requested by the same person needs another admin', async () => {
  ties([{ ...tie, staff_id: reversal.requested_by }]);
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/acts', () => page([])),
    mock.get('/api/support/reversals', () => page([reversal])),
  );
  renderRoutes(<ReversalsPage />);
  expect(await screen.findByText(/Vikram invited Priya on/)).toBeVisible();
  for (const name of ['Approve ₹60,000', 'Decline ₹60,000'])
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
});
