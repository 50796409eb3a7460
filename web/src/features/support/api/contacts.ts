import { data, envelope } from '@/lib/api/client';
import type { components, operations } from '@/lib/api/schema.gen';
import { uploadBody, uploadName } from '@/lib/upload';
import { post, read, readPage, remove } from './call';
import { client } from './support';

type Schemas = components['schemas'];
export type Contact = Schemas['ContactRow'];
export type ContactState = Schemas['ContactState'];
export type ContactOpened = Schemas['ContactOpened'];
export type ContactEntry = Schemas['ContactEntry'];
export type ContactCounts = Schemas['ContactCounts'];
export type ContactMacro = Schemas['ContactMacro'];
export type ContactsFilter = NonNullable<operations['listContactRequests']['parameters']['query']>;

const polled = { refetchInterval: 15_000 };

export const contactsQuery = (filter: ContactsFilter) => readPage('/api/support/contacts', filter, polled);
export const contactCountsQuery = read('/api/support/contacts/counts', {}, polled);
export const contactQuery = (id: string) => read('/api/support/contacts/{id}', { path: { id } }, polled);

export const moveContact = (id: string, body: Schemas['ContactMove']) =>
  post('/api/support/contacts/{id}', body, { id });
export const giveContact = (id: string, body: Schemas['ContactOwner']) =>
  post('/api/support/contacts/{id}/owner', body, { id });

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

export const addEntry = (id: string, body: Schemas['ContactEntryText'], key: string) =>
  post('/api/support/contacts/{id}/entries', body, { id }, key);

export const macrosQuery = read('/api/support/contact-macros');
export const saveMacro = (id: string | undefined, body: Schemas['ContactMacroText']) =>
  id ? post('/api/support/contact-macros/{id}', body, { id }) : post('/api/support/contact-macros', body);
export const deleteMacro = (id: string) => remove('/api/support/contact-macros/{id}', undefined, { id });
