import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { sessionsQuery } from './sessions';

/** `DELETE /profile/sessions`: ends every other session. */
export function useRevokeOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => envelope(api.DELETE('/profile/sessions')),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
