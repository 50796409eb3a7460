import { useMutation, useQueryClient } from '@tanstack/react-query';
import { erasureQuery } from '@/domain/erasure/api/erasure';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';

/** `POST /profile/erasure`: schedules the account for erasure after the grace period. */
export function useRequestErasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['AccountProof']) => envelope(api.POST('/profile/erasure', { body })),
    meta: { invalidates: [sessionQuery.queryKey] },
    onSuccess: ({ data }) => client.setQueryData(erasureQuery.queryKey, data),
    gcTime: 0,
  });
}
