import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { sessionQuery } from '@/lib/session/session-query';
import { endSession, getSession } from '@/lib/session/session';
import { accountsQuery } from './accounts';

/** `DELETE /accounts/{id}`: leaves an account, which signs out of it. */
export function useLeaveAccount() {
  return useMutation({
    mutationFn: (id: string) => envelope(api.DELETE('/accounts/{id}', { params: { path: { id } } })),
    meta: { invalidates: [accountsQuery.queryKey, sessionQuery.queryKey] },
    onSuccess: ({ message }, id) => {
      if (getSession().franchiserID === id) endSession(t`${message} Log in to open your own.`);
    },
  });
}
