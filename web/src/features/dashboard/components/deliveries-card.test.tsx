import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { delivery } from '@/testing/subscription-factories';
import { card, setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

test('shows each bought part with its state, its day and what is needed', async () => {
  setup({
    deliveries: [
      delivery({
        name: 'Custom domain',
        delivered_by: 'product',
        state: 'waiting_for_customer',
        needs: 'Link your domain.',
      }),
      delivery({ name: 'Priority support', late: true, promised_on: '2026-11-03' }),
      delivery({ name: 'Reward programme', delivered_by: 'connected', state: 'in_progress' }),
      delivery({ name: 'Dedicated account manager', responsible: 'Ravi' }),
      delivery({ name: 'Own Android and iOS app', state: 'delivered', proof_link: 'https://play.example/app' }),
      delivery({ name: 'On-site launch support', state: 'delivered', proof: 'Asha was there.' }),
      delivery({ name: 'E-mail support', state: 'delivered', proof_link: '/contact' }),
    ],
  });
  const section = within(await card('What you get'));
  const rows = within(await section.findByRole('list', { name: 'Still to be delivered' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Custom domainIn this accountWe need from you: Link your domain.Waits for you',
    'Priority supportBy our staffLate: promised for 3 Nov 2026',
    'Reward programmeBy a connected systemIn progress until 23 Nov 2026',
    'Dedicated account managerBy RaviPlanned until 23 Nov 2026',
  ]);
  section.getByText('Delivered: 3').click();
  const done = within(section.getByRole('list', { name: 'Delivered' }));
  expect(done.getByRole('link', { name: /See the proof Own Android and iOS app/ })).toHaveAttribute(
    'href',
    'https://play.example/app',
  );
  expect(done.getByRole('link', { name: 'Open E-mail support' })).toHaveAttribute('href', '/contact');
  expect(done.getByText('Asha was there.')).toBeVisible();
  expect(done.getAllByText('Delivered on 20 Nov 2026')).toHaveLength(3);
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
