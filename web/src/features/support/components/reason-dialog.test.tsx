import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { ViewAs } from './customer-view-as';
import { ReasonDialog } from './reason-dialog';

test('two clicks at once send once, and what failed can be sent again', async () => {
  const act = vi
    .fn<(reason: string) => Promise<string>>()
    .mockRejectedValueOnce(new Error('It failed.'))
    .mockResolvedValue('Done');
  const onDone = vi.fn();
  const { user } = renderRoutes(
    [
      {
        path: '/',
        element: (
          <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onDone={onDone} onClose={vi.fn()} />
        ),
      },
    ],
    { at: '/' },
  );
  await user.type(await screen.findByLabelText('Reason'), 'Because');
  const send = screen.getByRole('button', { name: 'Act' });
  fireEvent.click(send);
  fireEvent.click(send);
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(act).toHaveBeenCalledTimes(1);
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(act).toHaveBeenCalledTimes(2);
});

test('two clicks at once ask for one consent', async () => {
  let asked = 0;
  server.use(
    http.post('*/api/support/customers/c1/views', () => {
      asked += 1;
      return HttpResponse.json({ status: true, message: '', data: { id: 'v1', expires_at: '2026-11-21T05:40:00Z' } });
    }),
  );
  const { user } = renderRoutes(
    [{ path: '/', element: <ViewAs customer={{ id: 'c1', mobile: '9876543210' } as Customer} onClose={vi.fn()} /> }],
    { at: '/' },
  );
  await user.type(await screen.findByLabelText('Reason'), 'Cannot find it');
  const send = screen.getByRole('button', { name: 'Send the code' });
  fireEvent.click(send);
  fireEvent.click(send);
  expect(await screen.findByLabelText('Code')).toBeVisible();
  expect(asked).toBe(1);
});

test('the second of two clicks that opened the dialog, which falls beside it, leaves it open', async () => {
  const onClose = vi.fn();
  const act = () => Promise.resolve('Done');
  const { user } = renderRoutes(
    [
      {
        path: '/',
        element: (
          <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onDone={vi.fn()} onClose={onClose} />
        ),
      },
    ],
    { at: '/' },
  );
  fireEvent.click(await screen.findByRole('dialog', { name: 'Act?' }));
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});
