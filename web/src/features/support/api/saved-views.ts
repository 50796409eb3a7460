import type { components } from '@/lib/api/schema.gen';
import { post, postFor, read, remove } from './call';

type Schemas = components['schemas'];
export type SavedView = Schemas['SavedView'];
export type SavedViewRequest = Schemas['SavedViewRequest'];
export type ViewedList = SavedViewRequest['list'];

export const savedViewsQuery = (list: ViewedList) => read('/api/support/saved-views', { query: { list } });
export const saveView = (body: SavedViewRequest) => postFor('/api/support/saved-views', body);
export const changeView = (id: string, body: Schemas['SavedViewChange']) =>
  post('/api/support/saved-views/{id}', body, { id });
export const deleteView = (id: string) => remove('/api/support/saved-views/{id}', undefined, { id });
