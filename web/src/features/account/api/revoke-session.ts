import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { sessionsQuery } from './sessions';

/** `DELETE /profile/sessions/{id}`: ends one session. */
export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => envelope(api.DELETE('/profile/sessions/{id}', { params: { path: { id } } })),
    meta: { invalidates: [sessionsQuery.queryKey] },
  });
}
