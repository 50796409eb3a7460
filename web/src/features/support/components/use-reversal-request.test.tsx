import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { server } from '@/testing/server';
import type { ReversalRequest } from '../api/help';
import { ok } from './money-desk.fixture';
import { useReversalRequest } from './use-reversal-request';

const body: ReversalRequest = { customer_id: 'c1', payment_id: 'p1', kind: 'release', reason: 'It is short' };

function open(answer: () => Response = () => ok({ id: 'r1' })) {
  const keys: (string | null)[] = [];
  const onDone = vi.fn();
  server.use(
    http.post('*/api/support/reversals', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return answer();
    }),
  );
  const queries = new QueryClient();
  const { result } = renderHook(() => useReversalRequest(onDone), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  return { hook: result, keys, onDone };
}
const refuse = (status: number, messages: Record<string, string[]>) => () =>
  HttpResponse.json({ status: false, message: 'No.', code: 'refused', request_id: 'r', messages }, { status });

test('pressing twice at once sends one request', async () => {
  const { hook, keys, onDone } = open();
  act(() => {
    hook.current.send(body, 'release', {});
    hook.current.send(body, 'release', {});
  });
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(keys).toHaveLength(1);
  expect(onDone).toHaveBeenCalledTimes(1);
});

test('invalid input is not sent', async () => {
  const { hook, keys } = open();
  act(() => hook.current.send(body, 'release', { reason: 'Please say why, in 3 characters or more.' }));
  expect(hook.current.problems.reason).toContain('say why');
  expect(hook.current.pending).toBe(false);
  expect(keys).toEqual([]);
});

test('the focus goes to the first field that is wrong', () => {
  document.body.innerHTML = '<input id="money-utr"><input id="reason">';
  const { hook } = open();
  act(() =>
    hook.current.send(body, 'release', {
      reason: 'Say why.',
      utr: 'A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.',
    }),
  );
  expect(document.getElementById('money-utr')).toHaveFocus();
  document.body.innerHTML = '';
});

test('a refusal of a field stands there, any other above the form, and it can be sent again under the same key', async () => {
  let answer = refuse(422, { bank_reference: ['This UTR is booked.'] });
  const { hook, keys, onDone } = open(() => answer());
  act(() => hook.current.send(body, 'release', {}));
  await waitFor(() => expect(hook.current.problems).toEqual({ utr: 'This UTR is booked.' }));
  expect(hook.current.failure).toBe('');

  answer = refuse(409, {});
  act(() => hook.current.send(body, 'release', {}));
  await waitFor(() => expect(hook.current.failure).toBe('No.'));

  answer = () => ok({ id: 'r1' }) as never;
  act(() => hook.current.send(body, 'release', {}));
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('another amount is another request', async () => {
  const { hook, keys } = open(refuse(409, {}));
  for (const what of ['refund-100', 'refund-200']) {
    act(() => hook.current.send(body, what, {}));
    await waitFor(() => expect(hook.current.failure).toBe('No.'));
    await waitFor(() => expect(hook.current.pending).toBe(false));
  }
  expect(new Set(keys).size).toBe(2);
});
