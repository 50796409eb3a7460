import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { teamQuery, type MemberProof } from './team';

/** `POST /team/members/{id}/resend`: sends another link, which replaces the one before. */
export function useResendInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & MemberProof) =>
      envelope(api.POST('/team/members/{id}/resend', { params: { path: { id } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: teamQuery.queryKey }),
    meta: { quiet: true },
  });
}
