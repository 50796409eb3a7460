import { queryOptions } from '@tanstack/react-query';
import { data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type Figures = Schemas['Figures'];
export type Figure = Schemas['Figure'];

/** What limits the figures: months as YYYY-MM, a plan and a State. */
export interface FigureFilter {
  from?: string;
  to?: string;
  plan?: string;
  state?: string;
}

export const figuresQuery = (filter: FigureFilter) =>
  queryOptions({
    queryKey: [...supportKey, 'figures', filter],
    queryFn: () => data(client.GET('/api/support/figures', { params: { query: filter } })),
  });

/** The URL of a figure as CSV, with the same limits as on the screen. */
export const figureFile = (figure: Figure, filter: FigureFilter) => {
  const query = new URLSearchParams({ ...filter }).toString();
  return `/api/support/figures/${figure}/file${query ? `?${query}` : ''}`;
};
