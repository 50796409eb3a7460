import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /mobile-changes/{code}`: the change that a link names; looking stops nothing. */
export const mobileChangeQuery = (code: string) =>
  queryOptions({
    queryKey: ['mobile-change', code],
    queryFn: ({ signal }) => data(api.GET('/mobile-changes/{code}', { params: { path: { code } }, signal })),
  });

/** `POST /mobile-changes/{code}/stop`: stops the change; idempotent. */
export function useStopChange(code: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => data(api.POST('/mobile-changes/{code}/stop', { params: { path: { code } } })),
    onSuccess: (change) => queries.setQueryData(mobileChangeQuery(code).queryKey, change),
  });
}
