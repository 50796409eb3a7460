import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';

/** `POST /team/invitations/{code}/accept`: makes who is signed in a member. */
export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (code: string) => envelope(api.POST('/team/invitations/{code}/accept', { params: { path: { code } } })),
  });
}
