import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { accessibilityFaults } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import { delivery } from '@/testing/subscription-factories';
import { card, setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

const done = <Data,>(data: Data) => ok(data, 'Done.');

const some = () => [
  delivery({
    name: 'Custom domain',
    delivered_by: 'product',
    state: 'waiting_for_customer',
    needs: 'Link your domain.',
    needs_act: 'domain',
  }),
  delivery({
    name: 'Franchisee onboarding',
    delivered_by: 'product',
    state: 'waiting_for_customer',
    needs: 'Your first partner has to join: invite them.',
    needs_act: 'partner',
  }),
  delivery({ name: 'Priority support', late: true, promised_on: '2026-11-03' }),
  delivery({ name: 'Reward programme', delivered_by: 'connected', state: 'in_progress' }),
  delivery({ name: 'Dedicated account manager', responsible: 'Ravi' }),
  delivery({ name: 'Own Android and iOS app', state: 'delivered', proof_link: 'https://play.example/app' }),
  delivery({ name: 'On-site launch support', state: 'delivered', proof: 'Asha was there.' }),
  delivery({
    name: 'E-mail support',
    state: 'delivered',
    proof_link: '/contact',
    files: [{ id: 'f1', name: 'screen.png', by_us: true, sent_at: '2026-11-21T05:30:00Z' }],
  }),
];

test('the dashboard sums up what is delivered, and shows what needs attention', async () => {
  setup({ deliveries: some() });
  const section = within(await card('What you get'));
  expect(await section.findByText('3 of 8 delivered, 2 need something from you, 1 is late')).toBeVisible();
  const rows = within(section.getByRole('list', { name: 'Needs attention' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Custom domainIn this accountWe need from you: Link your domain.Waits for youLink a domain',
    'Franchisee onboardingIn this accountWe need from you: Your first partner has to join: invite them.Waits for youInvite a partner (new window)',
    'Priority supportBy our staffLate: promised for 3 Nov 2026',
  ]);
  expect(section.getByRole('link', { name: 'Link a domain' })).toHaveAttribute('href', '/dashboard#domain');
  expect(section.getByRole('link', { name: /Invite a partner/ })).toHaveAttribute(
    'href',
    'https://asha-sweets.franchise360.example/dashboard/partners',
  );
  expect(section.getByRole('link', { name: 'See all 8 parts of your plan' })).toHaveAttribute('href', '/deliveries');
});

test('the plan has a tick only for features that are delivered or need no delivery', async () => {
  const names = [
    'Priority support',
    'Custom domain',
    'Reward programme',
    'E-mail support',
    'Own aeroplane',
    'On-site launch support',
    'Everything in Start up',
  ];
  const { container, user } = setup({
    sub: { plan_features: names.map((features) => ({ features, desc: '' })) },
    deliveries: [...some().slice(0, 6), delivery({ name: 'On-site launch support', state: 'not_applicable' })],
  });
  const section = await card('Your plan');
  await user.click(within(section).getByRole('button', { name: 'Show all 7 features' }));
  const rows = within(section).getAllByRole('listitem');
  await expect
    .poll(() => rows.map((row) => row.textContent.trim()))
    .toEqual([
      'Priority support Late: promised for 3 Nov 2026',
      'Custom domain Waits for you',
      'Reward programme In progress until 23 Nov 2026',
      'E-mail support',
      'Own aeroplane',
      'On-site launch support Does not apply to you',
      'Everything in Start up Waits for you',
    ]);
  expect(rows.map((row) => /status-(\w+)/.exec(row.innerHTML)?.[1])).toEqual([
    'danger',
    'warning',
    'info',
    'success',
    'success',
    'info',
    'warning',
  ]);
  expect(within(section).getByText('Late: promised for 3 Nov 2026')).not.toHaveClass('visually-hidden');
  expect(within(section).getByText('In progress until 23 Nov 2026')).toHaveClass('visually-hidden');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the plan of a free trial asks for no deliveries', async () => {
  let asked = 0;
  setup({ sub: { payment_type: 'free trial' } });
  server.use(
    mock.get('/deliveries', () => {
      asked += 1;
      return ok({ deliveries: [] });
    }),
  );
  const rows = within(await card('Your plan')).getAllByRole('listitem');
  expect(rows.map((row) => /status-(\w+)/.exec(row.innerHTML)?.[1])).toEqual(Array(4).fill('success'));
  expect(asked).toBe(0);
});

test('the page shows each bought part with its state, its day, its proof and its files', async () => {
  const { container } = setup({ deliveries: some(), at: '/deliveries' });
  const open = within(await screen.findByRole('list', { name: 'Still to be delivered' }));
  expect(open.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Priority supportBy our staffLate: promised for 3 Nov 2026',
    'Reward programmeBy a connected systemIn progress until 23 Nov 2026',
    'Dedicated account managerBy RaviPlanned until 23 Nov 2026',
  ]);
  const done = within(screen.getByRole('list', { name: 'Delivered' }));
  expect(done.getByRole('link', { name: /See the proof Own Android and iOS app/ })).toHaveAttribute(
    'href',
    'https://play.example/app',
  );
  expect(done.getByRole('link', { name: 'Open E-mail support' })).toHaveAttribute('href', '/contact');
  expect(done.getByText('Asha was there.')).toBeVisible();
  expect(done.getByRole('link', { name: 'screen.png' })).toHaveAttribute('download', 'screen.png');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('sends what is needed in words and files', async () => {
  const sent: unknown[] = [];
  server.use(
    mock.post('/deliveries/{id}/files', ({ request }) => {
      sent.push(new URL(request.url).search);
      return done({ id: 'f1', name: 'logo.png', by_us: false, sent_at: '2026-11-21T05:30:00Z' });
    }),
    mock.post('/deliveries/{id}/provide', async ({ request }) => {
      sent.push(await request.json());
      return done(null);
    }),
  );
  const app = delivery({
    name: 'Own Android and iOS app',
    delivered_by: 'connected',
    state: 'waiting_for_customer',
    needs: 'Your logo.',
  });
  const { user } = setup({ deliveries: [app], at: '/deliveries' });
  expect(await screen.findByText('Waits for you. Then 30 working days')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: /Send it/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Write what we need, or choose a file.');
  await user.type(dialog.getByLabelText('Your answer'), 'Use the red one.');
  await userEvent
    .setup({ applyAccept: false })
    .upload(dialog.getByLabelText('Files'), new File(['x'], 'menu.docx', { type: 'image/png' }));
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  expect(dialog.getByRole('alert')).toHaveTextContent(/^menu\.docx: send an image/);
  await user.upload(dialog.getByLabelText('Files'), [
    new File(['x'], 'logo.png', { type: 'image/png' }),
    new File(['x'], 'Products.XLSX'),
    new File(['x'], 'prices.csv', { type: 'application/vnd.ms-excel' }),
  ]);
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await expect
    .poll(() => sent)
    .toEqual(['?name=logo.png', '?name=Products.XLSX', '?name=prices.csv', { note: 'Use the red one.' }]);
});

test('shows what was sent, and sends it again until the part is delivered', async () => {
  const sent: unknown[] = [];
  server.use(
    mock.post('/deliveries/{id}/provide', async ({ request }) => {
      sent.push(await request.json());
      return done(null);
    }),
  );
  const provided = { note: 'HDFC 50100123', at: '2026-11-21T05:30:00Z' };
  const { user } = setup({
    deliveries: [
      delivery({ name: 'Card payment gateway', state: 'in_progress', needs: 'Your bank account.', provided }),
      delivery({ name: 'Reward programme', state: 'in_progress', provided: { ...provided, note: '' } }),
      delivery({ name: 'Shipping integration', state: 'delivered', proof: 'It runs.', provided }),
    ],
    at: '/deliveries',
  });
  const rows = (await screen.findAllByText(/You sent/)).map((one) => one.textContent);
  expect(rows).toEqual([
    'You sent on 21 Nov 2026: HDFC 50100123',
    'You sent files on 21 Nov 2026',
    'You sent on 21 Nov 2026: HDFC 50100123',
  ]);
  expect(screen.getAllByRole('button', { name: /Send again/ })).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: /^Send again for Card payment/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Your bank account.', { exact: false })).toBeVisible();
  expect(dialog.getByLabelText('Your answer')).toHaveValue('HDFC 50100123');
  await user.clear(dialog.getByLabelText('Your answer'));
  await user.type(dialog.getByLabelText('Your answer'), 'HDFC 50100124');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await expect.poll(() => sent).toEqual([{ note: 'HDFC 50100124' }]);
});

test('a link opens the form of the domain', async () => {
  setup({ at: '/dashboard#domain' });
  expect(await screen.findByRole('dialog', { name: 'Change custom domain' })).toBeVisible();
});

test('says that everything is delivered', async () => {
  setup({ deliveries: [delivery({ state: 'delivered', proof: 'Done.' })] });
  await expect(within(await card('What you get')).findByText('Everything is delivered.')).resolves.toBeVisible();
});

test('is not shown in a free trial', async () => {
  setup({ sub: { payment_type: 'free trial' } });
  await card('Your plan');
  expect(screen.queryByRole('region', { name: 'What you get' })).not.toBeInTheDocument();
});
