import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

// These lists change only when the law does.
const lasting = { staleTime: Infinity, meta: { public: true } };

/** `GET /country`. */
export const countriesQuery = queryOptions({
  queryKey: ['countries'],
  queryFn: ({ signal }) => data(api.GET('/country', { signal })),
  ...lasting,
});

/** `GET /state/{id}`: States and Union Territories of a country. */
export function statesQuery(id: string) {
  return queryOptions({
    queryKey: ['states', id],
    queryFn: ({ signal }) => data(api.GET('/state/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
    ...lasting,
  });
}

/** `GET /city/{id}`: cities and towns of a State. */
export function citiesQuery(id: string) {
  return queryOptions({
    queryKey: ['cities', id],
    queryFn: ({ signal }) => data(api.GET('/city/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
    ...lasting,
  });
}
