import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { getSession, updateSession } from '@/lib/session/session';
import { profileQuery } from '@/domain/email-proof/api/profile';

type ProfileUpdate = components['schemas']['ProfileUpdate'];

/** `POST /profile/update/profile`: changes first and last name. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileUpdate) => envelope(api.POST('/profile/update/profile', { body })),
    onSuccess: ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data);
      const { user } = getSession();
      if (user) updateSession({ user: { ...user, first_name: data.first_name, last_name: data.last_name } });
    },
  });
}
