import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { teamQuery, type MemberProof, type MemberRole } from './team';

/** `PUT /team/members/{id}`: gives a member another role. */
export function useChangeRole() {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; role: MemberRole } & MemberProof) =>
      envelope(api.PUT('/team/members/{id}', { params: { path: { id } }, body })),
    meta: { invalidates: [teamQuery.queryKey] },
  });
}
