import type { components } from '@/lib/api/schema.gen';
import { post, postFor, read } from './call';
import { REFRESH_MS } from './support';

type Schemas = components['schemas'];
export type Note = Schemas['CustomerNote'];

/** What staff noted about a customer: notes, tags, and the tags to choose from. */
export const notesQuery = (id: string) =>
  read('/api/support/customers/{id}/notes', { path: { id } }, { refetchInterval: REFRESH_MS });

export const addNote = (id: string, body: Schemas['CustomerNoteText'], key: string) =>
  postFor('/api/support/customers/{id}/notes', body, { id }, key);
export const pinNote = (id: string, note: string, pinned: boolean) =>
  post('/api/support/customers/{id}/notes/{note}/pin', { pinned }, { id, note });
export const deleteNote = (id: string, note: string, reason: string) =>
  post('/api/support/customers/{id}/notes/{note}/delete', { reason }, { id, note });
export const tagCustomer = (id: string, tag: string, set: boolean) =>
  post('/api/support/customers/{id}/tags', { tag, set }, { id });
