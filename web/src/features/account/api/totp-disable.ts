import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';

/** `POST /profile/totp/disable`: switches the authenticator app off; requires the password and a code. */
export function useDisableTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['TotpDisable']) => envelope(api.POST('/profile/totp/disable', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    gcTime: 0,
  });
}
