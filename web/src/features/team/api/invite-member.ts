import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { teamQuery } from './team';

type TeamInvite = components['schemas']['TeamInvite'];

/** `POST /team/members`: invites a person by SMS. */
export function useInviteMember() {
  return useMutation({
    mutationFn: (body: TeamInvite) => envelope(api.POST('/team/members', { body })),
    meta: { invalidates: [teamQuery.queryKey] },
  });
}
