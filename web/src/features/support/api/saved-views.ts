import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type SavedView = Schemas['SavedView'];
export type SavedViewRequest = Schemas['SavedViewRequest'];
export type ViewedList = SavedViewRequest['list'];

export const savedViewsQuery = (list: ViewedList) =>
  queryOptions({
    queryKey: [...supportKey, 'saved-views', list],
    queryFn: async () => (await data(client.GET('/api/support/saved-views', { params: { query: { list } } }))).views,
  });

export const saveView = (body: SavedViewRequest) => data(client.POST('/api/support/saved-views', { body }));

export const changeView = (id: string, body: Schemas['SavedViewChange']) =>
  envelope(client.POST('/api/support/saved-views/{id}', { params: { path: { id } }, body }));

export const deleteView = (id: string) =>
  envelope(client.DELETE('/api/support/saved-views/{id}', { params: { path: { id } } }));
