import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/plan-change`: every plan as a change of the active one, without the dropped add-ons. */
export const planChangeQuery = (without: readonly string[]) =>
  queryOptions({
    queryKey: ['plan-change', without],
    queryFn: ({ signal }) =>
      data(
        api.GET('/subscription/plan-change', {
          params: { query: without.length > 0 ? { without: without.join(',') } : {} },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
