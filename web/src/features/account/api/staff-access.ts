import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

const accessKey = ['staff-access'];

/** `GET /profile/staff-access`: what our staff did in the account, and who is viewing it now. */
export const accessQuery = (rows: number) =>
  queryOptions({
    queryKey: [...accessKey, rows],
    queryFn: ({ signal }) => data(api.GET('/profile/staff-access', { params: { query: { per_page: rows } }, signal })),
    meta: { toast: 'refresh' },
    placeholderData: (before) => before,
  });

/** `POST /profile/staff-access/end`: ends the viewing. */
export function useEndAccess() {
  return useMutation({
    mutationFn: () => data(api.POST('/profile/staff-access/end')),
    meta: { invalidates: [accessKey] },
  });
}
