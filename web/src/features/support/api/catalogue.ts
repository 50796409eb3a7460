import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type Catalogue = Schemas['Catalogue'];
export type CatalogueTier = Schemas['CatalogueTier'];
export type CatalogueAddOn = Schemas['CatalogueAddOn'];
export type CatalogueChange = Schemas['CatalogueChange'];
export type CatalogueReview = Schemas['CatalogueReview'];
export type SoldCatalogue = Schemas['SoldCatalogue'];
export type CatalogueEffect = Schemas['CatalogueEffect'];
export type Announcement = Schemas['Announcement'];
export type AnnouncementRequest = Schemas['AnnouncementRequest'];

const catalogueKey = [...supportKey, 'catalogue'];
export const soldQuery = queryOptions({
  queryKey: [...catalogueKey, 'sold'],
  queryFn: () => data(client.GET('/api/support/catalogue')),
});
export const changesQuery = (page: number) =>
  queryOptions({
    queryKey: [...catalogueKey, 'changes', page],
    queryFn: () => envelope(client.GET('/api/support/catalogue/changes', { params: { query: { page } } })),
  });
export const changeQuery = (id: string) =>
  queryOptions({
    queryKey: [...catalogueKey, 'change', id],
    queryFn: () => data(client.GET('/api/support/catalogue/changes/{id}', { params: { path: { id } } })),
    // A refetch must not overwrite a draft while a user edits it.
    refetchOnWindowFocus: false,
  });
export const effectQuery = (id: string, edit: number, page: number) =>
  queryOptions({
    queryKey: [...catalogueKey, 'effect', id, edit, page],
    queryFn: () =>
      data(client.GET('/api/support/catalogue/changes/{id}/effect', { params: { path: { id }, query: { page } } })),
    retry: false,
    refetchOnWindowFocus: false,
  });

const of = (id: string) => ({ params: { path: { id } } });
export const beginDraft = (from: string) => data(client.POST('/api/support/catalogue/changes', { body: { from } }));
export const saveDraft = (id: string, edit: number, catalogue: Catalogue) =>
  data(client.POST('/api/support/catalogue/changes/{id}/save', { ...of(id), body: { edit, catalogue } }));
export const rebaseDraft = (id: string, edit: number) =>
  data(client.POST('/api/support/catalogue/changes/{id}/rebase', { ...of(id), body: { edit } }));
export const proposeDraft = (id: string, body: Schemas['CatalogueProposal']) =>
  envelope(client.POST('/api/support/catalogue/changes/{id}/propose', { ...of(id), body }));
export const decideChange = (id: string, body: Schemas['CatalogueDecision']) =>
  envelope(client.POST('/api/support/catalogue/changes/{id}/decision', { ...of(id), body }));

const announcementsKey = [...supportKey, 'announcements'];
export const announcementsQuery = (page: number) =>
  queryOptions({
    queryKey: [...announcementsKey, page],
    queryFn: () => envelope(client.GET('/api/support/announcements', { params: { query: { page } } })),
  });
export const publishAnnouncement = (body: AnnouncementRequest) =>
  envelope(client.POST('/api/support/announcements', { body }));
export const changeAnnouncement = (id: string, body: AnnouncementRequest) =>
  envelope(client.POST('/api/support/announcements/{id}', { ...of(id), body }));
export const endAnnouncement = (id: string, reason: string) =>
  envelope(client.POST('/api/support/announcements/{id}/end', { ...of(id), body: { reason } }));
