import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /team/invitations/{code}`: the details of an invitation. */
export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['team-invitation', code],
    queryFn: ({ signal }) => data(api.GET('/team/invitations/{code}', { params: { path: { code } }, signal })),
    meta: { public: true },
  });
