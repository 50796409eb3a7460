import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/plan-change`: every plan as a change of the active one, without the dropped and with the kept add-ons. */
export const planChangeQuery = (without: readonly string[], keep: readonly string[]) =>
  queryOptions({
    queryKey: ['plan-change', without, keep],
    queryFn: ({ signal }) =>
      data(
        api.GET('/subscription/plan-change', {
          params: {
            query: {
              ...(without.length > 0 && { without: without.join(',') }),
              ...(keep.length > 0 && { keep: keep.join(',') }),
            },
          },
          signal,
        }),
      ),
    meta: { toast: 'refresh' },
    placeholderData: keepPreviousData,
  });
