import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { openAfresh } from '@/lib/reload';
import { afterSignIn } from '@/lib/session/redirect';
import { roleWords } from '@/lib/session/roles';
import { startSession } from '@/lib/session/session';

/** `POST /accounts/switch`: opens another account, and its first screen with nothing of the account before in memory. */
export function useSwitchAccount() {
  return useMutation({
    mutationFn: (accountId: string) => envelope(api.POST('/accounts/switch', { body: { account_id: accountId } })),
    onSuccess: ({ data }) => {
      const user = data['franchiser-user'];
      startSession(user);
      openAfresh(user.role === 'owner' ? afterSignIn(data.redirect_to, null) : roleWords[user.role].home);
    },
    meta: { quiet: true },
  });
}
