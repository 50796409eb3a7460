import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { sessionQuery } from '@/lib/session/session-query';
import { Loading, Skeleton } from '@/ui/states';
import { dashboardQuery } from './api/dashboard';
import { ConfirmingNotice, useConfirming } from './confirming-notice';
import { HeldNotice } from './held-notice';

/**
 * Prompts the user to choose a plan. While a payment is unresolved, shows that instead, because it may pay for a plan; refetches the
 * session when it is resolved. If the payments cannot be loaded, shows the prompt.
 */
export function UnlessPaying({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const confirming = useConfirming(true);
  const { data, isPending } = useQuery(dashboardQuery);
  const held = data?.held_payments ?? [];
  const waiting = confirming.length > 0 || held.length > 0;
  const waited = useRef(false);
  useEffect(() => {
    if (waited.current && !waiting) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    waited.current = waiting;
  }, [client, waiting]);
  if (isPending)
    return (
      <Loading what={t`your plan`}>
        <Skeleton lines={8} />
      </Loading>
    );
  if (!waiting) return children;
  return (
    <>
      <ConfirmingNotice payments={confirming} />
      <HeldNotice payments={held} />
      <p className="mt-3">{t`You can set up your store as soon as this payment is settled. This page updates automatically.`}</p>
    </>
  );
}
