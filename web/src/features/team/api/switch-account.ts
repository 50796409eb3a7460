import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { openAfresh } from '@/lib/reload';
import { firstScreen } from '@/lib/session/roles';
import { startSession } from '@/lib/session/session';

/**
 * `POST /accounts/switch`: opens another account and clears the previous account from memory. Opens the requested screen if the new role
 * includes it.
 */
export function useSwitchAccount(back: string | null = null) {
  return useMutation({
    mutationFn: (accountId: string) => envelope(api.POST('/accounts/switch', { body: { account_id: accountId } })),
    onSuccess: ({ data }) => {
      const user = data['franchiser-user'];
      startSession(user);
      openAfresh(firstScreen(user.role, data.redirect_to, back));
    },
  });
}
