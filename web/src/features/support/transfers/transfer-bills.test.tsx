import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { keeping, mock, page, server } from '@/testing/server';
import { credit, open, posted, proforma } from './transfers.fixture';

test('a bill to assign a credit to is found by its customer', async () => {
  const bodies = posted('/api/support/bank-credits/c1/uses');
  const { user } = open('finance', [{ ...credit, proposals: [] }]);
  server.use(
    mock.get('/api/support/transfers', ({ request }) => {
      const query = new URL(request.url).searchParams;
      return page(query.get('state') === 'open' && query.get('search') === 'asha' ? [proforma] : []);
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Assign to another bill' }));
  expect(await screen.findByText('No unpaid bill has that in it.')).toBeVisible();
  await user.type(screen.getByLabelText('Find the customer’s bill'), 'asha');
  await user.selectOptions(
    screen.getByLabelText('Bill'),
    await screen.findByRole('option', { name: 'PF/26-27/000001, Asha Sweets LLP, ₹1,59,300' }),
  );
  await user.type(screen.getByLabelText('Reason'), 'As the narration says');
  await user.click(screen.getByRole('button', { name: 'Use it' }));
  await waitFor(() => expect(bodies).toMatchObject([{ kind: 'order', proforma_id: 'p1' }]));
});

test('finance cancels a proforma for which no money came; deducted tax is a line of its own', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.post(
      '/api/support/transfers/p1/cancel',
      keeping(bodies, { ...proforma, state: 'cancelled', cancelled_by: 'staff' }, 'The proforma is cancelled.'),
    ),
  );
  const { user } = open('finance', [], '/?tab=proformas', [proforma, { ...proforma, id: 'p2', cancellable: false }]);
  expect((await screen.findAllByText('₹13,500 income tax deducted'))[0]).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Cancel it PF/26-27/000001' }));
  await user.type(await screen.findByLabelText('Reason'), 'The customer asked for another one');
  await user.click(screen.getByRole('button', { name: 'Cancel the proforma' }));
  await waitFor(() => expect(bodies).toEqual([{ reason: 'The customer asked for another one' }]));
});
