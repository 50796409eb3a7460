import type { components } from '@/lib/api/schema.gen';
import { post, postFor, read, readPage } from './call';

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

export const soldQuery = read('/api/support/catalogue');
export const changesQuery = (page: number) => readPage('/api/support/catalogue/changes', { page });
/** A refetch must not overwrite a draft while a user edits it. */
export const changeQuery = (id: string) =>
  read('/api/support/catalogue/changes/{id}', { path: { id } }, { refetchOnWindowFocus: false });
/** Whom a change affects; `edit` makes the query of each saved draft a new one. */
export const effectQuery = (id: string, edit: number, page: number) => {
  const shown = read('/api/support/catalogue/changes/{id}/effect', { path: { id }, query: { page } });
  return { ...shown, queryKey: [...shown.queryKey, edit], retry: false, refetchOnWindowFocus: false };
};

export const beginDraft = (from: string) => postFor('/api/support/catalogue/changes', { from });
export const saveDraft = (id: string, edit: number, catalogue: Catalogue) =>
  postFor('/api/support/catalogue/changes/{id}/save', { edit, catalogue }, { id });
export const rebaseDraft = (id: string, edit: number) =>
  postFor('/api/support/catalogue/changes/{id}/rebase', { edit }, { id });
export const proposeDraft = (id: string, body: Schemas['CatalogueProposal']) =>
  post('/api/support/catalogue/changes/{id}/propose', body, { id });
export const decideChange = (id: string, body: Schemas['CatalogueDecision']) =>
  post('/api/support/catalogue/changes/{id}/decision', body, { id });

export const announcementsQuery = (page: number) => readPage('/api/support/announcements', { page });
export const publishAnnouncement = (body: AnnouncementRequest) => post('/api/support/announcements', body);
export const changeAnnouncement = (id: string, body: AnnouncementRequest) =>
  post('/api/support/announcements/{id}', body, { id });
export const endAnnouncement = (id: string, reason: string) =>
  post('/api/support/announcements/{id}/end', { reason }, { id });
