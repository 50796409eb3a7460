import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { Customer } from '../api/customers';

import { ViewAs } from './customer-view-as';

const customer = { id: 'c1', mobile: '9876543210' } as Customer;

function open(answer: () => Response = () => ok({ id: 'v1' })) {
  const reasons: unknown[] = [];
  server.use(
    mock.post('/api/support/customers/c1/views', async ({ request }) => {
      reasons.push(await request.json());
      return answer();
    }),
  );
  const view = renderRoutes([{ path: 'customer', element: <ViewAs customer={customer} onClose={() => undefined} /> }]);
  return { ...view, reasons };
}
const sendButton = () => screen.getByRole('button', { name: 'Send the code' });

test('a code is sent for a reason, and once however fast it is pressed', async () => {
  const { user, reasons, baseElement } = open();
  await user.type(screen.getByLabelText('Reason'), ' The invoice looks wrong ');
  act(() => {
    sendButton().click();
    sendButton().click();
  });
  expect(await screen.findByLabelText('Code')).toHaveFocus();
  expect(reasons).toEqual([{ reason: 'The invoice looks wrong' }]);
  expect(screen.getByText(/An SMS is on its way to ••••••3210/)).toBeVisible();
  expect(await accessibilityFaults(baseElement)).toEqual([]);
});

test('the arrow keys offer the usual reasons', async () => {
  const { user, reasons } = open();
  await user.click(screen.getByLabelText('Reason'));
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(reasons).toEqual([{ reason: 'The customer asked for help on the phone' }]));
});

test('nothing is sent without a reason', async () => {
  const { user, reasons } = open();
  await user.type(screen.getByLabelText('Reason'), '  x {Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please say why');
  expect(screen.getByLabelText('Reason')).toBeInvalid();
  expect(reasons).toEqual([]);
});

test('a code that could not be sent says why, and can be asked for again', async () => {
  let down = true;
  const { user, reasons } = open(() => (down ? refused(409, 'The customer has a code already.') : ok({ id: 'v1' })));
  await user.type(screen.getByLabelText('Reason'), 'Invoice{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('The customer has a code already.');
  down = false;
  await user.click(sendButton());
  expect(await screen.findByLabelText('Code')).toBeVisible();
  expect(reasons).toHaveLength(2);
});

test('requires a code of six digits, and shows the refusal of a wrong code', async () => {
  const { user } = open();
  const begun: unknown[] = [];
  server.use(
    mock.post('/api/support/views/v1/begin', async ({ request }) => {
      begun.push(await request.json());
      return refused(400, 'The code is not right.');
    }),
  );
  await user.type(screen.getByLabelText('Reason'), 'Invoice{Enter}');
  const code = await screen.findByLabelText('Code');
  await user.type(code, '12a{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('The code has six digits.');
  expect(begun).toEqual([]);
  await user.type(code, '3456789{Enter}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The code is not right.'));
  expect(begun).toEqual([{ code: '123456' }]);
  expect(code).toHaveValue('123456');
});
