import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusText } from '@/ui/notice';
import { Async } from '@/ui/states';
import { formatDay } from '@/lib/format';
import { settlementQuery, type SettlementDay } from '../api/help';
import { gatewayName, rupees } from '../customers/customer-words';
import { Differences, Lines } from './settlements-tables';
import { When } from '../shared/when';
import { count } from '../shared/count';
import { Offer } from '../shared/offer';

/** What to compare again: a day of a gateway, or everything open if no day is given. */
export interface Again {
  gateway: string;
  day?: string;
}

export const nameOf = ({ gateway, day }: Again) =>
  day ? `${formatDay(day)}, ${gatewayName(gateway)}` : gatewayName(gateway);

function DayLines({ of }: { of: SettlementDay }) {
  const settlement = useQuery(settlementQuery(of.gateway, of.day));
  if (settlement.data === undefined) return <Async query={settlement} what="the lines" lines={3} />;
  return <Lines of={settlement.data.lines} caption={`Lines of ${nameOf(of)}`} />;
}

export function Day({
  of,
  above,
  now,
  onAgain,
}: {
  of: SettlementDay;
  above: Set<string>;
  now: number;
  onAgain?: ((again: Again) => void) | undefined;
}) {
  const [open, setOpen] = useState(false);
  const differences = of.differences.filter((one) => !one.cleared_at && !one.acknowledged).length;
  const adjustments = of.differences.filter((one) => one.kind === 'adjustment' && !one.cleared_at);
  const adjusted = adjustments.reduce((sum, one) => sum + one.theirs_paise, 0);
  const here = of.differences.filter((one) => !above.has(one.id));
  return (
    <li>
      <div className="contact-head">
        <h2>{nameOf(of)}</h2>
        <StatusText tone={differences === 0 ? 'success' : 'danger'}>
          {differences === 0 ? 'Agrees with the books' : count(differences, 'difference')}
        </StatusText>
      </div>
      <p>
        {of.lines === 0
          ? 'The gateway settled nothing.'
          : `${rupees(of.captured_paise)} received, ${rupees(of.refunded_paise)} refunded, ${rupees(of.fee_paise)} fees and ${rupees(of.tax_paise)} GST on them, ${rupees(of.net_paise)} paid out.`}{' '}
        {adjustments.length > 0 && `${count(adjustments.length, 'adjustment')} of ${rupees(adjusted)}. `}
        Compared <When at={of.compared_at} now={now} />.
      </p>
      {here.length > 0 && <Differences of={here} caption={`Differences of ${nameOf(of)}`} now={now} />}
      {of.lines > 0 && (
        <Offer aria-expanded={open} onClick={() => setOpen(!open)} of={`of ${nameOf(of)}`}>
          {open ? 'Hide' : 'Show'} {of.lines === 1 ? 'the line' : `the ${count(of.lines, 'line')}`}
        </Offer>
      )}
      {onAgain && (
        <>
          {' '}
          <Offer onClick={() => onAgain(of)} of={nameOf(of)}>
            Compare again
          </Offer>
        </>
      )}
      {open && <DayLines of={of} />}
    </li>
  );
}
