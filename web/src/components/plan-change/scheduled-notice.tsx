import type { components } from '@/lib/api/schema.gen';
import { explain } from '@/lib/api/errors';
import { formatDate, formatLastDay } from '@/lib/format';
import { Button } from '../button';
import { Notice } from '../notice';
import { useCallOffChange } from './api/call-off-change';

export interface ScheduledNoticeProps {
  change: components['schemas']['ScheduledChange'];
  /** Whether a payment is being confirmed. It may be that of the change, which then cannot be cancelled yet. */
  paying: boolean;
}

/** The change scheduled for the renewal: what it does, and a button to cancel it until then. */
export function ScheduledNotice({ change, paying }: ScheduledNoticeProps) {
  const { id, plan_name, service_name, plan_type, on, dropped_add_ons: dropped, franchise_limit: limit } = change;
  const callOff = useCallOffChange();
  const names = dropped.map(({ add_ons_service_name: name }) => name).join(', ');
  return (
    <Notice>
      <div className="banner-row">
        <div>
          <p className="fw-bold">
            Your plan changes to {plan_name} · {service_name}, {plan_type === 'yearly' ? 'annual' : 'monthly'}, on{' '}
            {formatDate(on)}.
          </p>
          <p>
            It allows {limit} franchises.
            {dropped.length > 0 &&
              ` Until ${formatLastDay(on)} you keep: ${names}. Then ${dropped.length === 1 ? 'it ends' : 'they end'}.`}
          </p>
          {callOff.isError && (
            <p className="text-danger" role="alert">
              {explain(callOff.error)}
            </p>
          )}
          {paying && <p>You can undo it once your payment has been confirmed.</p>}
        </div>
        {!paying && (
          <Button variant="outline" size="sm" pending={callOff.isPending} onClick={() => callOff.mutate(id)}>
            Undo this change
          </Button>
        )}
      </div>
    </Notice>
  );
}
