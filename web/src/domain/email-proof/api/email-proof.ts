import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { profileQuery } from './profile';

/** `POST /profile/email/proof`: resends the link that confirms the e-mail address. */
export function useSendEmailProof() {
  return useMutation({ mutationFn: () => envelope(api.POST('/profile/email/proof')) });
}

/** `POST /profile/email/prove`: confirms the e-mail address with the token from the link. */
export function useProveEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => envelope(api.POST('/profile/email/prove', { body: { token } })),
    onSuccess: ({ data }) => client.setQueryData(profileQuery.queryKey, data),
  });
}
