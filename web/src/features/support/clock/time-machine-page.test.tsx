import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import type { TimeMachineAnswer, TimeMachineEntry, TimeMachineQuestion } from '../api/time-machine';
import { customerId, me } from '../shell/console.fixture';
import { TimeMachineLink } from './time-machine-link';
import { TimeMachinePage } from './time-machine-page';
import { byMonth, monthsBetween } from './time-machine-words';

const entry = (shown: Partial<TimeMachineEntry>): TimeMachineEntry => ({
  at: '2027-04-09T03:30:00Z',
  kind: 'state',
  title: '',
  status: '',
  text: '',
  channel: '',
  reference: '',
  amount_paise: null,
  ...shown,
});
const answer: TimeMachineAnswer = {
  state: 'done',
  days: 60,
  all_days: 60,
  from: '2027-03-26T05:30:00Z',
  until: '2027-05-26T18:29:00Z',
  entries: [
    entry({ kind: 'message', title: 'SMS', channel: 'sms', text: 'Your plan ends on 9 April 2027.' }),
    entry({ kind: 'document', title: 'Invoice', status: 'invoice', reference: 'FP/27-28/2', amount_paise: 1475000 }),
    entry({
      kind: 'message',
      title: 'Not sent: Renewal reminder by e-mail',
      status: 'no_address',
      text: 'No address was known.',
    }),
    entry({ title: 'Plan: next term', status: 'active', at: '2027-04-09T18:32:00Z' }),
    entry({ title: 'Plan: grace', status: 'grace', at: '2027-05-09T18:32:00Z' }),
  ],
};
const draft = { id: 'c1', state: 'draft', version: 'July', edited_by_name: 'Ravi' };
const page = { current_page: 1, last_page: 1, next_page_url: null, per_page: 10, total: 1 };

const customer = { id: customerId, open_requests: [] as Customer['open_requests'] } as Customer;

function shown(answers: (() => Response)[], staff: object = { time_machine: true }, known = true) {
  const asked: TimeMachineQuestion[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...me, ...staff })),
    mock.get('/api/support/customers/{id}', () =>
      known ? ok(customer) : refused(404, { code: 'not_found', message: 'Not found.' }),
    ),
    mock.get('/api/support/catalogue/changes', () =>
      Response.json({ status: true, message: '', data: [draft, { ...draft, id: 'c2', state: 'applied' }], ...page }),
    ),
    mock.post('/api/support/time-machine/{id}', async ({ request, params }) => {
      expect(params.id).toBe(customerId);
      asked.push((await request.json()) as TimeMachineQuestion);
      return (answers.shift() ?? (() => ok(answer)))();
    }),
  );
  return { asked, ...renderRoutes([{ path: '/c/:id', Component: TimeMachinePage }], { at: `/c/${customerId}` }) };
}

const months = () => screen.findByRole('slider', { name: /^Look ahead/ });

test('a run is followed until it is done, and its months are moved through', async () => {
  const running = { ...answer, state: 'running', days: 12, entries: [] };
  const { asked, user, container } = shown([() => ok(running)]);
  fireEvent.change(await months(), { target: { value: '2' } });
  await user.selectOptions(screen.getByLabelText('The customer'), 'Pays late, in grace');
  await user.selectOptions(await screen.findByLabelText('Prices'), 'Draft by Ravi, July');
  expect(screen.queryByRole('option', { name: /Proposal/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Look ahead' }));
  expect(await screen.findByText('Day 12 of 60.')).toBeInTheDocument();
  expect(await screen.findByText('5 entries.')).toBeInTheDocument();
  expect(asked).toEqual(Array(2).fill({ months: 2, pays: 'late', change_id: 'c1' }));

  const april = within(screen.getByRole('region', { name: 'April 2027' }));
  expect(april.getByText(/Invoiced: ₹14,750\. Plan at the end: active\./)).toBeInTheDocument();
  expect(april.getByText('FP/27-28/2')).toBeInTheDocument();
  expect(april.getByText('Your plan ends on 9 April 2027.')).toBeInTheDocument();
  expect(april.getByText('No address was known.')).toBeVisible();
  const slider = screen.getByRole('slider', { name: /^Month shown/ });
  expect(slider).toHaveAttribute('aria-valuetext', 'All months');
  fireEvent.change(slider, { target: { value: '3' } });
  expect(slider).toHaveAttribute('aria-valuetext', 'May 2027');
  expect(screen.queryByRole('region', { name: 'April 2027' })).toBeNull();
  const may = within(screen.getByRole('region', { name: 'May 2027' }));
  expect(may.getByText(/Invoiced: ₹0\. Plan at the end: days of grace/)).toBeInTheDocument();
  await user.selectOptions(screen.getByLabelText('Kind'), 'Messages');
  expect(may.getByText('Nothing happens.')).toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('months in a row in which nothing happens are one', async () => {
  const quiet = [answer.entries[0]!, entry({ title: 'Plan: grace', status: 'grace', at: '2027-09-09T18:32:00Z' })];
  const { user } = shown([() => ok({ ...answer, until: '2027-12-26T18:29:00Z', entries: quiet })]);
  await months();
  await user.click(screen.getByRole('button', { name: 'Look ahead' }));
  await screen.findByText('2 entries.');
  const names = () => screen.getAllByRole('heading', { level: 3 }).map((one) => one.textContent);
  const all = [
    'March 2027',
    'April 2027',
    'May 2027 to August 2027',
    'September 2027',
    'October 2027 to December 2027',
  ];
  expect(names()).toEqual(all);
  await user.selectOptions(screen.getByLabelText('Kind'), 'States of the plan');
  expect(names()).toEqual(['March 2027 to August 2027', ...all.slice(3)]);
  fireEvent.change(screen.getByRole('slider', { name: /^Month shown/ }), { target: { value: '4' } });
  expect(names()).toEqual(['June 2027']);
});

test('the same question can be repeated, also after a failure', async () => {
  const { asked, user } = shown([() => refused(503, 'The time machine is busy with other customers.')]);
  await months();
  await user.click(screen.getByRole('button', { name: 'Look ahead' }));
  expect(await screen.findByText(/busy with other customers/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Look ahead' }));
  expect(await screen.findByText('5 entries.')).toBeInTheDocument();
  expect(screen.queryByText(/busy with other customers/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Look ahead' }));
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]).toEqual({ months: 13, pays: 'on_time' });
});

test.each([
  ['it is off', { time_machine: false }],
  ['the role may not', { time_machine: true, role: 'auditor' }],
])('nothing is offered where %s', async (_, staff) => {
  shown([], staff);
  expect(await screen.findByText(/It is not set up here for you/)).toBeInTheDocument();
  expect(screen.queryByRole('slider')).toBeNull();
});

test('the customer’s page leads here where it is on', async () => {
  server.use(mock.get('/api/support/me', () => ok({ ...me, time_machine: true })));
  renderRoutes(<TimeMachineLink id="c7" />);
  expect(await screen.findByRole('link', { name: /^Time machine/ })).toHaveAttribute(
    'href',
    '/support/customers/c7/time-machine',
  );
});

test('a month is one in India', () => {
  expect(monthsBetween('2026-11-30T18:31:00Z', '2027-01-31T18:29:00Z')).toEqual(['2026-12', '2027-01']);
  const credited = entry({ kind: 'document', status: 'credit_note', amount_paise: 500, at: '2026-12-31T18:31:00Z' });
  expect(byMonth('2026-12-01T00:00:00Z', '2027-01-31T00:00:00Z', [credited]).map((one) => one.billed)).toEqual([
    0, -500,
  ]);
});

test('an unknown customer has no coming months', async () => {
  shown([], { time_machine: true }, false);
  expect(await screen.findByRole('heading', { name: 'There is no such customer' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Look ahead' })).not.toBeInTheDocument();
});
