import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, REFRESH_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type Note = Schemas['CustomerNote'];

/** What staff noted about a customer: notes, tags, and the tags to choose from. */
export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: [...supportKey, 'notes', id],
    queryFn: () => data(client.GET('/api/support/customers/{id}/notes', { params: { path: { id } } })),
    refetchInterval: REFRESH_MS,
  });

/** Requests with the same key count as one note. */
export const addNote = (id: string, body: Schemas['CustomerNoteText'], key: string) =>
  data(
    client.POST('/api/support/customers/{id}/notes', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );

export const pinNote = (id: string, note: string, pinned: boolean) =>
  envelope(
    client.POST('/api/support/customers/{id}/notes/{note}/pin', {
      params: { path: { id, note } },
      body: { pinned },
    }),
  );

export const deleteNote = (id: string, note: string, reason: string) =>
  envelope(
    client.POST('/api/support/customers/{id}/notes/{note}/delete', {
      params: { path: { id, note } },
      body: { reason },
    }),
  );

export const tagCustomer = (id: string, tag: string, set: boolean) =>
  envelope(client.POST('/api/support/customers/{id}/tags', { params: { path: { id } }, body: { tag, set } }));
