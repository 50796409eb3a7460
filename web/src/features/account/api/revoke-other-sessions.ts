import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { sessionsQuery } from './sessions';

/** `DELETE /profile/sessions`: ends every other session. */
export function useRevokeOtherSessions() {
  return useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/sessions')),
    meta: { invalidates: [sessionsQuery.queryKey] },
  });
}
