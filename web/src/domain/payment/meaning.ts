import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';

type PaymentPreview = components['schemas']['PaymentPreview'];

/** The period that a charge covers: its start, its end, and what happens then. */
export function meaning({ kind, effective_on, plan_renew_on }: PaymentPreview): string {
  const from = formatDate(effective_on);
  const until = formatDate(plan_renew_on);
  switch (kind) {
    case 'upgrade':
      return t`Your new plan starts on ${from} and renews on ${until}. You get a credit note for the unused days of your current plan, which pays part of the new one.`;
    case 'downgrade':
      return t`Your current plan runs to its end; the new one starts on ${from}.`;
    case 'renewal':
      return t`Your next term starts on ${from} and renews on ${until}.`;
    case 'add_on':
      return t`Yours from ${from}; you pay only for the days left in your term. Renews with your plan on ${until}.`;
    default:
      return t`Starts on ${from}, renews on ${until}. We remind you and send you a link to pay; nothing is debited unless you choose automatic renewal.`;
  }
}
