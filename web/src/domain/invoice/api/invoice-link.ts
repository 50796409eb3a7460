import { queryOptions } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

/** Seconds between polls for a document that is being prepared, unless the server specifies an interval. */
const ASK_AGAIN_S = 2;

async function invoiceLink(id: string, signal: AbortSignal) {
  const call = api.GET('/subscription/invoice/{id}', { params: { path: { id } }, signal });
  const { data, message } = await envelope(call);
  const { response } = await call;
  return { ...data, message, retryAfter: Number(response.headers.get('Retry-After')) || ASK_AGAIN_S };
}

/** `GET /subscription/invoice/{id}`: a link, valid for five minutes, to a document; polled while it is being prepared. */
export const invoiceLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoice-link', id],
    queryFn: ({ signal }) => invoiceLink(id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? state.data.retryAfter * 1000 : false),
  });
