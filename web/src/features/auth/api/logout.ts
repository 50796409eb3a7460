import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { toApiError } from '@/lib/api/errors';
import { reloadPage } from '@/lib/reload';
import { SESSION_KEY } from '@/lib/session/session';

/** Clears the display state and reloads the page, so that nothing of the account stays in memory. */
function leave(): void {
  localStorage.removeItem(SESSION_KEY);
  sessionStorage.clear();
  reloadPage();
}

/** `POST /logout`. A session that has already ended counts as logged out. */
export function useLogout() {
  return useMutation({
    mutationFn: () => envelope(api.POST('/logout')),
    meta: { toast: 'error' },
    onSuccess: leave,
    onError: (error) => {
      if (toApiError(error).status === 401) leave();
    },
  });
}
