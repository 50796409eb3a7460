import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { codeQuery } from './code-query';
import { serverAnswers } from './online';
import { reloadPage } from './reload';

vi.mock('./online');

test('what could not be fetched is fetched by loading the page anew, once the server answers', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const unfetched = new TypeError('Failed to fetch dynamically imported module');
  const query = codeQuery('part', () => Promise.reject(unfetched));
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  vi.mocked(serverAnswers).mockResolvedValue(false);
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  expect(reloadPage).not.toHaveBeenCalled();
  vi.mocked(serverAnswers).mockResolvedValue(true);
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  expect(reloadPage).toHaveBeenCalledTimes(1);
});
