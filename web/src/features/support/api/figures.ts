import type { components } from '@/lib/api/schema.gen';
import { read } from './call';

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

export const figuresQuery = (query: FigureFilter) => read('/api/support/figures', { query });

/** The URL of a figure as CSV, with the same limits as on the screen. */
export const figureFile = (figure: Figure, filter: FigureFilter) => {
  const query = new URLSearchParams({ ...filter }).toString();
  return `/api/support/figures/${figure}/file${query ? `?${query}` : ''}`;
};
