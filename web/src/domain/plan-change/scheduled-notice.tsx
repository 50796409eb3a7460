import { plural, t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { explain } from '@/lib/api/errors';
import { formatDate, formatLastDay } from '@/lib/format';
import { periodWord } from '@/lib/plan-choice';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useCallOffChange } from './api/call-off-change';

export interface ScheduledNoticeProps {
  change: components['schemas']['ScheduledChange'];
  /** Whether a payment is being confirmed. It may be that of the change, which then cannot be cancelled yet. */
  paying: boolean;
}

/** The change scheduled for the renewal, with a button to cancel it. */
export function ScheduledNotice({ change, paying }: ScheduledNoticeProps) {
  const { id, plan_name, service_name, plan_type, on, dropped_add_ons: dropped, franchise_limit: limit } = change;
  const callOff = useCallOffChange();
  const names = dropped.map(({ add_ons_service_name: name }) => name).join(', ');
  const last = formatLastDay(on);
  const kept =
    dropped.length > 0 &&
    plural(dropped.length, {
      one: `Until ${last} you keep: ${names}. Then it ends.`,
      other: `Until ${last} you keep: ${names}. Then they end.`,
    });
  return (
    <Notice>
      <div className="banner-row">
        <div>
          <p className="fw-bold">{t`Your plan changes to ${plan_name} · ${service_name}, ${periodWord(plan_type)}, on ${formatDate(on)}.`}</p>
          <p>
            {t`It allows ${limit} franchises.`} {kept}
          </p>
          {callOff.isError && (
            <p className="text-danger" role="alert">
              {explain(callOff.error)}
            </p>
          )}
          {paying && <p>{t`You can undo it once your payment has been confirmed.`}</p>}
        </div>
        {!paying && (
          <Button
            variant="outline"
            size="sm"
            pending={callOff.isPending}
            onClick={() => callOff.mutate(id)}
          >{t`Undo this change`}</Button>
        )}
      </div>
    </Notice>
  );
}
