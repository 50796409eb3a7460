import { t } from '@lingui/core/macro';
import type { Tone } from '@/ui/notice';
import type { Transfer } from '@/domain/payment/api/transfers';

/** The state of a bill to be paid by transfer, in words. */
export function transferState({
  state,
  received_paise: received,
  unassigned_paise: unassigned,
  cancelled_by: by,
}: Transfer): {
  label: string;
  tone: Tone;
} {
  switch (state) {
    case 'paid':
      return { label: t`Paid`, tone: 'success' };
    case 'expired':
      return { label: t`Expired`, tone: 'warning' };
    case 'cancelled':
      return { label: by ? t`Cancelled` : t`Paid in another way, or ended`, tone: 'info' };
    default:
      if (unassigned > 0) return { label: t`Arrived, being checked`, tone: 'info' };
      return received > 0
        ? { label: t`Partly received`, tone: 'warning' }
        : { label: t`Waiting for your transfer`, tone: 'warning' };
  }
}
