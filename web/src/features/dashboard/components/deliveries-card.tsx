import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { deliveriesQuery } from '../api/deliveries';
import { Card } from './card';
import { DeliveryRows, sorted } from './delivery-rows';
import { Async } from '@/ui/states';

/** How many deliveries the card shows; the page shows all. */
const SHOWN = 3;

/** A summary of what was bought: how much is delivered, and what we need from the customer first. */
export function DeliveriesCard() {
  const deliveries = useQuery(deliveriesQuery);
  return (
    <Card title={t`What you get`}>
      <Async query={deliveries} what={t`what you get`}>
        {(all) => {
          const { done, waiting, open } = sorted(all);
          if (all.length === 0)
            return <p className="text-muted">{t`Everything that you buy is listed here with its date.`}</p>;
          const late = open.filter((one) => one.late);
          const first = [...waiting, ...late].slice(0, SHOWN);
          return (
            <>
              <p>
                {done.length === all.length
                  ? t`Everything is delivered.`
                  : t`${done.length} of ${all.length} delivered`}
                {waiting.length > 0 &&
                  `, ${plural(waiting.length, { one: '# needs something from you', other: '# need something from you' })}`}
                {late.length > 0 && `, ${plural(late.length, { one: '# is late', other: '# are late' })}`}
              </p>
              {first.length > 0 && <DeliveryRows label={t`Needs attention`} rows={first} />}
              <p>
                <Link to="/deliveries">
                  <Trans>See all {all.length} parts of your plan</Trans>
                </Link>
              </p>
            </>
          );
        }}
      </Async>
    </Card>
  );
}
