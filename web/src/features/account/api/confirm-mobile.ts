import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';
import { profileQuery } from '@/domain/email-proof/api/profile';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { sessionsQuery } from './sessions';
import { storeDetailsQuery } from './store-details';

/** `POST /profile/mobile`: moves the account to the new number, which is also the store's username, and ends all other sessions. */
export function useConfirmMobile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['MobileChangeConfirm']) => envelope(api.POST('/profile/mobile', { body })),
    meta: { invalidates: [sessionQuery.queryKey, sessionsQuery.queryKey, dashboardQuery.queryKey] },
    onSuccess: ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data);
      client.removeQueries({ queryKey: storeDetailsQuery.queryKey });
    },
  });
}
