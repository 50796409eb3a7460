import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { deliveriesQuery } from '../api/deliveries';
import { Card } from './card';
import { DeliveryRows, sorted, type Delivery } from './delivery-rows';
import './dashboard.scss';

function Section({ title, rows }: { title: string; rows: readonly Delivery[] }) {
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <DeliveryRows label={title} rows={rows} />
    </Card>
  );
}

/** Every bought feature and add-on: who delivers it, until when, what is needed for it, and the proof. */
export function DeliveriesPage() {
  const deliveries = useQuery(deliveriesQuery);
  return (
    <div className="container page deliveries-page">
      <PageTitle
        intro={
          <Trans>
            Each part of your plan with its day. To ask about a date, <Link to="/contact">contact us</Link>.
          </Trans>
        }
      >{t`What you get`}</PageTitle>
      <Async query={deliveries} what={t`what you get`} lines={8}>
        {(all) => {
          const { done, waiting, open } = sorted(all);
          if (all.length === 0)
            return (
              <EmptyState title={t`Nothing here yet`}>
                {t`Everything that you buy is listed here with its date.`}
              </EmptyState>
            );
          return (
            <>
              <Section title={t`We need from you`} rows={waiting} />
              <Section title={t`Still to be delivered`} rows={open} />
              <Section title={t`Delivered`} rows={done} />
            </>
          );
        }}
      </Async>
    </div>
  );
}
