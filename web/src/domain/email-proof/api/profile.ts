import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/details/profile`: first and last name, mobile and e-mail. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => data(api.GET('/profile/details/profile', { signal })),
  meta: { toast: 'warning' },
});
