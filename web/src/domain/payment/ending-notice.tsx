import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { Notice } from '@/ui/notice';

export interface EndingNoticeProps {
  addOns: readonly components['schemas']['EndingAddOn'][];
}

/** The add-ons that an upgrade ends today, each with its paid-until day and its credit. */
export function EndingNotice({ addOns }: EndingNoticeProps) {
  if (addOns.length === 0) return null;
  return (
    <Notice tone="warning">
      <p className="fw-bold">{t`These add-ons end today`}</p>
      <ul className="plain-list">
        {addOns.map(({ id, add_ons_service_name: name, paid_until: until, credit }) => (
          <li key={id}>{t`${name}: until ${formatDate(until)} → ends today, ${credit} credited with GST`}</li>
        ))}
      </ul>
    </Notice>
  );
}
