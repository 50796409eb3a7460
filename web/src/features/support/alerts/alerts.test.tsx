import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import { AlertBanner } from './alerts';
import { anAlert } from './watch.fixture';

const held = (id: string) => ({
  ...anAlert,
  id,
  rule: 'payment_held',
  severity: 'warning',
  subject: id,
  message: `Payment ${id} is held.`,
  console: `/support/payments/${id}`,
});
const noWorker = { ...anAlert, id: 'w', rule: 'no_workers', severity: 'critical', message: 'No worker is running.' };

function open(pathname: string, alerts: object[]) {
  server.use(mock.get('/api/support/alerts', () => ok({ alerts })));
  renderRoutes([{ path: 'page', element: <AlertBanner pathname={pathname} /> }]);
}

test('the severest alert comes first, and several held payments are one line', async () => {
  open('/support', [held('FP1'), held('FP2'), noWorker]);
  const banner = await screen.findByRole('region', { name: 'Alerts' });
  const links = within(banner).getAllByRole('link', { hidden: true });
  expect(links.map(({ textContent }) => textContent)).toEqual(['No worker is running.', '2 payments are on hold.']);
  expect(links[1]).toHaveAttribute('href', '/support/money?kind=held');
});

test('a customer’s page shows what concerns everybody, and no other customer’s payment', async () => {
  open('/support/customers/c1', [held('FP1'), noWorker]);
  expect(await screen.findByRole('link', { name: 'No worker is running.' })).toBeVisible();
  expect(screen.queryByText(/FP1/)).not.toBeInTheDocument();
});
