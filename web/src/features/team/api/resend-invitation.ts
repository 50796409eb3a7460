import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { teamQuery, type MemberProof } from './team';

/** `POST /team/members/{id}/resend`: sends another link, which replaces the one before. */
export function useResendInvitation() {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & MemberProof) =>
      envelope(api.POST('/team/members/{id}/resend', { params: { path: { id } }, body })),
    meta: { invalidates: [teamQuery.queryKey] },
  });
}
