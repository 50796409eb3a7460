import { MutationObserver, onlineManager, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { sessionQuery } from '@/lib/session/session-query';
import { createQueryClient } from './query-client';

/** Changes what a query shows, while the query's second answer is awaited; returns which of the two ends first. */
async function race(queryKey: QueryKey) {
  const client = createQueryClient();
  const events: string[] = [];
  const answer = vi.fn(async () => {
    if (answer.mock.calls.length === 1) return 'first';
    await new Promise((done) => setTimeout(done, 50));
    return events.push('fetched');
  });
  const query = new QueryObserver(client, { queryKey, queryFn: answer });
  const stop = query.subscribe(() => undefined);
  await expect.poll(() => query.getCurrentResult().data).toBe('first');
  const change = new MutationObserver(client, {
    mutationFn: () => Promise.resolve(),
    meta: { invalidates: [queryKey] },
  });
  await change.mutate();
  events.push('success');
  await expect.poll(() => events).toHaveLength(2);
  stop();
  return events;
}

test('a change reports its success before the changed data is there again', async () => {
  expect(await race(['bill'])).toEqual(['success', 'fetched']);
});

test('a change of the session waits for the session', async () => {
  expect(await race(sessionQuery.queryKey)).toEqual(['fetched', 'success']);
});

test('an answer that a read began before the change is not shown', async () => {
  const client = createQueryClient();
  const answers = [new Promise((done) => setTimeout(done, 50, 'old')), Promise.resolve('new')];
  // It reads the signal, as our calls do.
  const query = new QueryObserver(client, {
    queryKey: ['bill'],
    queryFn: ({ signal }) => (signal.throwIfAborted(), answers.shift()),
  });
  const shown: unknown[] = [];
  const stop = query.subscribe(({ data }) => data && shown.push(data));
  const change = new MutationObserver(client, {
    mutationFn: () => Promise.resolve(),
    meta: { invalidates: [['bill']] },
  });
  await change.mutate();
  await new Promise((done) => setTimeout(done, 100));
  expect([...new Set(shown)]).toEqual(['new']);
  stop();
});

test('a change without a network fetches nothing', async () => {
  const client = createQueryClient();
  const answer = vi.fn(() => Promise.resolve('first'));
  await client.fetchQuery({ queryKey: ['bill'], queryFn: answer });
  const stop = new QueryObserver(client, { queryKey: ['bill'], queryFn: answer, staleTime: Infinity }).subscribe(
    () => undefined,
  );
  const change = new MutationObserver(client, {
    mutationFn: () => Promise.reject(new TypeError('Failed to fetch')),
    meta: { invalidates: [['bill']] },
  });
  onlineManager.setOnline(false);
  await expect(change.mutate()).rejects.toThrow();
  onlineManager.setOnline(true);
  expect(answer).toHaveBeenCalledTimes(1);
  stop();
});
