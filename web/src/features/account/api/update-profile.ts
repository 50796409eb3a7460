import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';
import { profileQuery } from '@/domain/email-proof/api/profile';

type ProfileUpdate = components['schemas']['ProfileUpdate'];

/** `POST /profile/update/profile`: changes first and last name. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileUpdate) => envelope(api.POST('/profile/update/profile', { body })),
    meta: { invalidates: [sessionQuery.queryKey] },
    onSuccess: ({ data }) => client.setQueryData(profileQuery.queryKey, data),
  });
}
