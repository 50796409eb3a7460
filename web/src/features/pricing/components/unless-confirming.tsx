import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { WithData } from '@/domain/with-data';

function Unless({ children }: { children: ReactNode }) {
  const { data, isPending } = useQuery(dashboardQuery);
  return isPending || data?.confirming_payments.length ? null : children;
}

/** An invitation to pay, held back while a payment is being confirmed; shown where that cannot be learned. */
export function UnlessConfirming({ children }: { children: ReactNode }) {
  return (
    <WithData>
      <Unless>{children}</Unless>
    </WithData>
  );
}
