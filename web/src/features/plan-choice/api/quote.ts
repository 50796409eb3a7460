import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type PlanSelection = components['schemas']['PlanSelection'];

/** `POST /subscription-plan/quote`: the price of a choice for an anonymous visitor. */
export const quoteQuery = (selection: PlanSelection) =>
  queryOptions({
    queryKey: ['quote', selection],
    queryFn: ({ signal }) => data(api.POST('/subscription-plan/quote', { body: selection, signal })),
    placeholderData: keepPreviousData,
    meta: { public: true },
  });
