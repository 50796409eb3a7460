import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';
import { profileQuery } from '@/domain/email-proof/api/profile';

/** `POST /profile/email`: sets the new e-mail with the code. */
export function useConfirmEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['EmailChangeConfirm']) => envelope(api.POST('/profile/email', { body })),
    meta: { invalidates: [sessionQuery.queryKey] },
    onSuccess: ({ data }) => client.setQueryData(profileQuery.queryKey, data),
  });
}
