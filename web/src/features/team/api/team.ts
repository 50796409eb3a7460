import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

export type Team = components['schemas']['Team'];
export type Member = components['schemas']['TeamMember'];
export type TeamEvent = components['schemas']['TeamEvent'];
export type MemberProof = components['schemas']['AccountProof'];
export type MemberRole = components['schemas']['MemberRole'];

const LOOK_AGAIN_MS = 5000;

/** `GET /team`: who belongs to the account, and what happened last. */
export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => data(api.GET('/team', { signal })),
  staleTime: 0,
  // An SMS is on its way for some seconds.
  refetchInterval: ({ state: { data: team } }) =>
    team?.members.some(({ invitation }) => invitation?.state === 'waiting') ? LOOK_AGAIN_MS : false,
});
