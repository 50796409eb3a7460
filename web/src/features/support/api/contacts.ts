import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { uploadBody, uploadName } from '@/lib/upload';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type Contact = Schemas['ContactRow'];
export type ContactState = Schemas['ContactState'];
export type ContactOpened = Schemas['ContactOpened'];
export type ContactEntry = Schemas['ContactEntry'];
export type ContactCounts = Schemas['ContactCounts'];
export type ContactMacro = Schemas['ContactMacro'];

const contactsKey = [...supportKey, 'contacts'];

export interface ContactsFilter {
  page: number;
  state?: ContactState;
  topic?: 'sales' | 'support' | 'billing' | 'partnership' | 'other';
  owner?: 'me' | 'nobody';
  overdue?: true;
  search?: string;
  /** Returns only requests that name this customer. */
  customer?: string;
}

const CONTACTS_MS = 15_000;

export const contactsQuery = (filter: ContactsFilter) =>
  queryOptions({
    queryKey: [...contactsKey, filter],
    queryFn: () => envelope(client.GET('/api/support/contacts', { params: { query: filter } })),
    refetchInterval: CONTACTS_MS,
  });

export const contactCountsQuery = queryOptions({
  queryKey: [...contactsKey, 'counts'],
  queryFn: () => data(client.GET('/api/support/contacts/counts')),
  refetchInterval: CONTACTS_MS,
});

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', id],
    queryFn: () => data(client.GET('/api/support/contacts/{id}', { params: { path: { id } } })),
    refetchInterval: CONTACTS_MS,
  });

export const moveContact = (id: string, body: Schemas['ContactMove']) =>
  envelope(client.POST('/api/support/contacts/{id}', { params: { path: { id } }, body }));

export const giveContact = (id: string, body: Schemas['ContactOwner']) =>
  envelope(client.POST('/api/support/contacts/{id}/owner', { params: { path: { id } }, body }));

/** Fetches a file of a message. */
export async function contactFile(id: string, file: Schemas['RequestFile']) {
  const answer = await client.GET('/api/support/contacts/{id}/files/{file}', {
    params: { path: { id, file: file.id } },
    parseAs: 'blob',
  });
  return { blob: await envelope(Promise.resolve(answer)), name: file.name };
}

/** Uploads one file, which a reply names. */
export const uploadReplyFile = (file: File) =>
  data(
    client.POST('/api/support/contact-files', {
      params: { query: { name: uploadName(file) } },
      ...uploadBody(file),
    }),
  );

/** Requests with the same key count as one entry. */
export const addEntry = (id: string, body: Schemas['ContactEntryText'], key: string) =>
  envelope(
    client.POST('/api/support/contacts/{id}/entries', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );

export const macrosQuery = queryOptions({
  queryKey: [...supportKey, 'contact-macros'],
  queryFn: () => data(client.GET('/api/support/contact-macros')),
});

export const saveMacro = (id: string | undefined, body: Schemas['ContactMacroText']) =>
  id
    ? envelope(client.POST('/api/support/contact-macros/{id}', { params: { path: { id } }, body }))
    : envelope(client.POST('/api/support/contact-macros', { body }));

export const deleteMacro = (id: string) =>
  envelope(client.DELETE('/api/support/contact-macros/{id}', { params: { path: { id } } }));
