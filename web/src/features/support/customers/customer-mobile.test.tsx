import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, refused, server } from '@/testing/server';

import { MobilePage } from './customer-mobile-page';

function open(status: number) {
  server.use(mock.get('/api/support/mobiles/{mobile}', () => refused(status, 'Resource not found!')));
  renderRoutes([{ path: '/:mobile', element: <MobilePage /> }], { at: '/9876543210' });
}

test('a number that nobody has says so, and is no failure', async () => {
  open(404);
  expect(await screen.findByText('Nobody has +91 98765 43210')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Customers' })).toHaveAttribute('href', '/support/customers');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
});

test('a number that could not be asked for can be tried again', async () => {
  open(500);
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not load the number.');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});
