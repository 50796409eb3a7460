import { queryOptions, useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { uploadBody, uploadName } from '@/lib/upload';

type Schemas = components['schemas'];
export type RequestRow = Schemas['RequestRow'];
type RequestThread = Schemas['RequestThread'];
export type RequestMessage = RequestThread['messages'][number];
export type RequestFile = Schemas['RequestFile'];
export type RequestState = Schemas['ContactState'];

const requestsKey = ['requests'];

/** How often an open page looks for answers, in milliseconds. */
const ANSWERS_MS = 30_000;

/** `GET /requests`: a page of the customer's requests. */
export const requestsQuery = (page: number, state: RequestState | undefined) =>
  queryOptions({
    queryKey: [...requestsKey, 'list', page, state],
    queryFn: ({ signal }) =>
      envelope(api.GET('/requests', { params: { query: { page, ...(state && { state }) } }, signal })),
    meta: { toast: 'refresh' },
    refetchInterval: ANSWERS_MS,
  });

/** `GET /requests/{id}`: a request with its messages. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: [...requestsKey, 'one', id],
    queryFn: ({ signal }) => data(api.GET('/requests/{id}', { params: { path: { id } }, signal })),
    meta: { toast: 'refresh' },
    refetchInterval: ANSWERS_MS,
  });

export const startRequest = (body: Schemas['RequestStart'], key: string) =>
  data(api.POST('/requests', { params: { header: { 'Idempotency-Key': key } }, body }));

export const replyToRequest = (id: string, body: Schemas['RequestReply'], key: string) =>
  envelope(api.POST('/requests/{id}/messages', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body }));

/** A message that is being written. */
export interface Draft {
  message: string;
  files: string[];
}

interface Sending {
  draft: Draft;
  key: string;
}

/** Sends a message: a new request, or an answer. The same draft sent again has the same key. */
export const useSendMessage = (
  send: (draft: Draft, key: string) => Promise<unknown>,
  options: Pick<UseMutationOptions<unknown, Error, Sending>, 'onSuccess' | 'onError'>,
) =>
  useMutation({
    ...options,
    mutationFn: ({ draft, key }: Sending) => send(draft, key),
    meta: { invalidates: [requestsKey] },
  });

/** `POST /request-files`: uploads one file, which a message names. */
export const uploadFile = (file: File) =>
  data(
    api.POST('/request-files', {
      params: { query: { name: uploadName(file) } },
      ...uploadBody(file),
    }),
  );

/** Fetches a file of a message. */
export async function fetchFile(id: string, file: RequestFile) {
  const call = api.GET('/requests/{id}/files/{file}', { params: { path: { id, file: file.id } }, parseAs: 'blob' });
  const answer = await call;
  const blob = await envelope(Promise.resolve(answer));
  return { blob, name: file.name };
}
