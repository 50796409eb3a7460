import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import { credit, open, posted, proposal, use } from './transfers.fixture';

test('finance assigns a transfer as it is proposed, with the tax that was deducted', async () => {
  const bodies = posted('/api/support/bank-credits/c1/uses');
  const { user, container } = open('finance', [credit]);
  expect(await screen.findByText(/less 10 % income tax \(₹13,500\), with the number/)).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Assign to PF/26-27/000001' }));
  expect(await screen.findByText(/The bill is of Asha Sweets LLP; the bank names Asha Sweets LLP/)).toBeVisible();
  expect(await screen.findByLabelText('Income tax that was deducted, in rupees')).toHaveValue('13500.00');
  expect(screen.getByText(/Tax was deducted: a colleague approves first/)).toBeVisible();
  await user.type(screen.getByLabelText('Reason'), 'Confirmed by phone');
  await user.click(screen.getByRole('button', { name: 'Ask for approval' }));
  await waitFor(() =>
    expect(bodies).toEqual([
      {
        kind: 'order',
        proforma_id: 'p1',
        tds_paise: 13_500_00,
        tds_rate_bps: 1000,
        gst_tds_paise: 0,
        reason: 'Confirmed by phone',
      },
    ]),
  );
});

test('a return needs the UTR of the transfer back', async () => {
  const bodies = posted('/api/support/bank-credits/c1/uses');
  const { user } = open('finance', [{ ...credit, proposals: [] }]);
  expect(await screen.findByText('No open bill fits.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Return HDFCR52026112500001' }));
  await user.type(await screen.findByLabelText('Reason'), 'Paid twice');
  await user.click(screen.getByRole('button', { name: 'Ask for approval' }));
  expect(
    await screen.findByText(
      'A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.',
    ),
  ).toBeVisible();
  await user.type(screen.getByLabelText('UTR of the transfer back'), 'OURN42026112500001');
  await user.click(screen.getByRole('button', { name: 'Ask for approval' }));
  await waitFor(() => expect(bodies).toEqual([{ kind: 'return', reason: 'Paid twice', utr: 'OURN42026112500001' }]));
});

test('a part of a bill that is not paid yet can go back', async () => {
  const part = { ...credit, state: 'used', rest_paise: 0, proposals: [] };
  const { user } = open('finance', [part]);
  await user.click(await screen.findByRole('button', { name: 'Return HDFCR52026112500001' }));
  expect(await screen.findByText('Book the return of ₹1,45,800?')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Assign/ })).toBeNull();
});

test('a transfer that paid its bill offers nothing to do', async () => {
  open('finance', [{ ...credit, state: 'used', rest_paise: 0, returnable_paise: 0, proposals: [] }]);
  expect(await screen.findByText('Used')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Return|Assign|Dismiss/ })).toBeNull();
});

test('a colleague can approve a request, the requester cannot', async () => {
  const bodies = posted('/api/support/bank-credit-uses/u1/decision');
  const { user } = open('finance', [
    { ...credit, uses: [use, { ...use, id: 'u2', requested_by: 's1' }], proposals: [] },
  ]);
  expect(await screen.findAllByRole('button', { name: 'Approve' })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Seen in the statement');
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(bodies).toEqual([{ approve: true, reason: 'Seen in the statement' }]));
});

const tie = {
  staff_id: use.requested_by,
  until: '2026-11-28T05:30:00Z',
  way: 'invited',
  opened_at: '2026-11-21T05:30:00Z',
  opened_name: 'Kiran',
  opened_by_name: 'Sunita',
};

test('a use is another colleague’s to decide where who asked may be the same person', async () => {
  server.use(mock.get('/api/support/account/ties', () => ok({ days: 7, ties: [tie] })));
  open('finance', [{ ...credit, uses: [use], proposals: [] }]);
  expect(await screen.findByText(/Sunita invited Kiran/)).toBeVisible();
  for (const name of ['Approve', 'Decline'])
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
});

test('a use that waits names the tax that is accepted with it, and is decided by who entered the transfer and did not ask', async () => {
  open('finance', [{ ...credit, entered_by: 's1', uses: [use], proposals: [] }]);
  expect(
    await screen.findByText(/₹1,45,800 and ₹13,500 income tax deducted for PF\/26-27\/000001: waits/),
  ).toBeVisible();
  expect(screen.getByText('Waits for a colleague')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Approve' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Decline' })).toBeVisible();
});

test.each([
  ['s1', 'Ask for approval', /You entered this transfer: a colleague approves first/],
  ['s2', 'Use it', /A colleague approves first if the transfer was another customer’s/],
  ['s3', 'Ask for approval', /may be the same person as you: another colleague approves first/],
])('a transfer that %s entered is used with "%s"', async (by, label, words) => {
  const whole = { ...proposal, fit: 'exact', tds_paise: 0, tds_rate_bps: 0 };
  server.use(mock.get('/api/support/account/ties', () => ok({ days: 7, ties: [{ ...tie, staff_id: 's3' }] })));
  const { user } = open('finance', [{ ...credit, entered_by: by, proposals: [whole] }]);
  await user.click(await screen.findByRole('button', { name: 'Assign to PF/26-27/000001' }));
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('button', { name: label })).toBeVisible();
});

test('only a proposal that more than the amount speaks for stands out', async () => {
  const weak = { ...proposal, proforma_id: 'p2', number: 'PF/26-27/000002', basis: 'amount' };
  open('finance', [{ ...credit, proposals: [proposal, weak] }]);
  expect(await screen.findByRole('button', { name: 'Assign to PF/26-27/000001' })).toHaveClass('btn-primary');
  expect(screen.getByRole('button', { name: 'Assign to PF/26-27/000002' })).toHaveClass('btn-outline');
});

test('support reads and is offered nothing to do', async () => {
  open('support', [credit]);
  expect(await screen.findByText('HDFCR52026112500001')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Assign|Return|Dismiss/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('tab', { name: 'Enter' })).not.toBeInTheDocument();
});

test('one credit is entered by hand', async () => {
  const bodies = posted('/api/support/bank-credits');
  const { user } = open('finance', [], '/?tab=statement');
  const form = await screen.findByRole('form', { name: 'Enter one credit' });
  await user.click(within(form).getByRole('button', { name: 'Enter' }));
  expect(within(form).getByLabelText('UTR')).toHaveAccessibleDescription(/A UTR has 16 characters for NEFT/);
  expect(within(form).getByLabelText('Came in on')).toHaveAccessibleDescription(/Choose the day/);
  await user.type(within(form).getByLabelText('UTR'), 'HDFCR52026112500001');
  await user.type(within(form).getByLabelText('Amount in rupees'), '1,45,800');
  await user.type(within(form).getByLabelText('Came in on'), '2026-11-25');
  await user.click(within(form).getByRole('button', { name: 'Enter' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Statement of today');
  await user.click(within(dialog).getByRole('button', { name: 'Enter' }));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({
    credits: [{ utr: 'HDFCR52026112500001', amount_paise: 1_45_800_00, paid_at: '2026-11-25T00:00:00+05:30' }],
  });
});

test('a part of an unpaid bill is taken from it once a colleague approves', async () => {
  const bodies = posted('/api/support/bank-credits/c1/uses');
  const { user } = open('finance', [
    { ...credit, state: 'used', rest_paise: 0, held_paise: 1_45_800_00, proposals: [] },
  ]);
  await user.click(await screen.findByRole('button', { name: 'Take from its bill HDFCR52026112500001' }));
  expect(await screen.findByText('Take ₹1,45,800 from unpaid bills?')).toBeVisible();
  await user.type(screen.getByLabelText('Reason'), 'It is for another bill');
  await user.click(screen.getByRole('button', { name: 'Ask for approval' }));
  await waitFor(() => expect(bodies).toEqual([{ kind: 'release', reason: 'It is for another bill' }]));
});
