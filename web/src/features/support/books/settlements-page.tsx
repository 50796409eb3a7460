import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListDate } from '@/ui/list/list-date';
import { anyText, useListState } from '@/ui/list/use-list-state';
import { Async, EmptyState } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { settlementsQuery, type SettlementDifference, type SettlementReport } from '../api/help';
import { useMay } from '../api/rights';
import { gatewayName } from '../customers/customer-words';
import { Day, type Again } from './settlements-days';
import { AcknowledgeDialog, CompareDialog } from './settlements-dialogs';
import { Open } from './settlements-open';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

/** The days of the gateways in use, and the differences listed above them. */
function arranged(report: SettlementReport | undefined) {
  const gateways = [...new Set(report?.days.map((day) => day.gateway))];
  const above = new Set(
    [...(report?.open_differences ?? []), ...(report?.acknowledged_differences ?? [])].map(({ id }) => id),
  );
  const used = new Set(
    [
      ...(report?.days.filter((day) => day.lines > 0 || day.differences.length > 0) ?? []),
      ...(report?.open_lines ?? []),
    ].map((one) => one.gateway),
  );
  const days = report?.days.filter((day) => used.has(day.gateway)) ?? [];
  const unused = gateways.filter((gateway) => !used.has(gateway));
  return { gateways, unused, days, above };
}

/** What the gateway paid out each day, compared with the books. */
export function SettlementsPage() {
  const [again, setAgain] = useState<Again>();
  const [noted, setNoted] = useState<SettlementDifference>();
  const { filter } = useListState({ from: anyText, to: anyText });
  const report = useQuery({ ...settlementsQuery(filter), placeholderData: keepPreviousData });
  const mayCompare = useMay('money');
  const { gateways, unused, days, above } = arranged(report.data);
  return (
    <>
      <PageBar title="Settlements">
        <ListDate name="from" label="From" otherwise={report.data?.from} />
        <ListDate name="to" label="To" otherwise={report.data?.to} />
        {mayCompare &&
          gateways.map((gateway) => (
            <Offer key={gateway} onClick={() => setAgain({ gateway })}>
              Compare all that is open at {gatewayName(gateway)}
            </Offer>
          ))}
      </PageBar>
      <Async query={report} what="the settlements" lines={6} tellStale />
      {report.data && (
        <Open report={report.data} now={report.dataUpdatedAt} onAcknowledge={mayCompare ? setNoted : undefined} />
      )}
      {report.data?.days.length === 0 && (
        <EmptyState title="Nothing here">
          Each night the day’s settlement of the gateway is compared with the books; none was in these days.
        </EmptyState>
      )}
      <ul className="console-contacts">
        {days.map((day) => (
          <Day
            key={`${day.gateway} ${day.day}`}
            of={day}
            above={above}
            now={report.dataUpdatedAt}
            onAgain={mayCompare ? setAgain : undefined}
          />
        ))}
      </ul>
      {unused.length > 0 && (
        <p className="console-hint">{unused.map(gatewayName).join(' and ')} settled nothing in these days.</p>
      )}
      {noted && <AcknowledgeDialog of={noted} onClose={() => setNoted(undefined)} />}
      {again && <CompareDialog of={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}
