import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { toApiError } from '@/lib/api/errors';
import { reloadPage } from '@/lib/reload';
import { SESSION_KEY } from '@/lib/session/session';

/** Forgets the display state and loads the page anew, so that nothing of the account stays in memory. */
function leave(): void {
  localStorage.removeItem(SESSION_KEY);
  sessionStorage.clear();
  reloadPage();
}

/** `POST /logout`. A session that had ended already counts as logged out. */
export function useLogout() {
  return useMutation({
    mutationFn: () => envelope(api.POST('/logout')),
    onSuccess: leave,
    onError: (error) => {
      if (toApiError(error).status === 401) leave();
    },
  });
}
