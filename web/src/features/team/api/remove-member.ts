import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { teamQuery } from './team';

/** `DELETE /team/members/{id}`: removes a member, or withdraws an invitation. */
export function useRemoveMember() {
  return useMutation({
    mutationFn: (id: string) => envelope(api.DELETE('/team/members/{id}', { params: { path: { id } } })),
    meta: { invalidates: [teamQuery.queryKey] },
  });
}
