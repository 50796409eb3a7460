import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { sessionQuery } from '@/lib/session/session-query';
import { Loading, Skeleton } from '../states';
import { dashboardQuery } from './api/dashboard';
import { ConfirmingNotice, useConfirming } from './confirming-notice';
import { HeldNotice } from './held-notice';

/**
 * A request to choose a plan, unless a payment without an outcome may be that of the plan: then that is said instead, and the session
 * is fetched anew once there is an outcome. The request is shown where that cannot be learned.
 */
export function UnlessPaying({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const confirming = useConfirming(true);
  const { data, isPending } = useQuery({ ...dashboardQuery, meta: { quiet: true } });
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
