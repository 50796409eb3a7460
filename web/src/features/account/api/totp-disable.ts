import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';

/** `POST /profile/totp/disable`: switches the authenticator app off; requires the password and a code. */
export function useDisableTotp() {
  return useMutation({
    mutationFn: (body: components['schemas']['TotpDisable']) => envelope(api.POST('/profile/totp/disable', { body })),
    meta: { invalidates: [sessionQuery.queryKey] },
    gcTime: 0,
  });
}
