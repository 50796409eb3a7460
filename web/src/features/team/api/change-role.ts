import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { teamQuery, type MemberRole } from './team';

/** `PUT /team/members/{id}`: gives a member another role. */
export function useChangeRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: MemberRole }) =>
      envelope(api.PUT('/team/members/{id}', { params: { path: { id } }, body: { role } })),
    onSettled: () => client.invalidateQueries({ queryKey: teamQuery.queryKey }),
    meta: { quiet: true },
  });
}
