import { QueryClient } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { server } from '@/testing/server';
import { codeQuery } from './code-query';
import { reloadPage } from './reload';

const serve = (answer: () => Response) => server.use(http.head('*/favicon.svg', answer));

test('what could not be fetched is fetched by loading the page anew, once the server answers', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const unfetched = new TypeError('Failed to fetch dynamically imported module');
  const query = codeQuery('part', () => Promise.reject(unfetched));
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  serve(() => HttpResponse.error());
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  expect(reloadPage).not.toHaveBeenCalled();
  serve(() => new HttpResponse(null));
  await expect(client.fetchQuery(query)).rejects.toBe(unfetched);
  expect(reloadPage).toHaveBeenCalledTimes(1);
});
