import { type SettlementDifference, type SettlementReport } from '../api/help';
import { count } from '../shared/count';
import { Differences, Lines } from './settlements-tables';

/** Everything open of any day: old lines are listed even if their day is not shown. */
export function Open({
  report,
  now,
  onAcknowledge,
}: {
  report: SettlementReport;
  now: number;
  onAcknowledge?: ((difference: SettlementDifference) => void) | undefined;
}) {
  const { open_differences: differences, acknowledged_differences: known } = report;
  // A line with a difference is listed once, under its difference.
  const lines = report.open_lines.filter(
    (line) =>
      ![...differences, ...known].some(
        (one) =>
          one.gateway === line.gateway && one.transaction_id === line.transaction_id && one.meaning === line.waits_for,
      ),
  );
  if (lines.length === 0 && differences.length === 0 && known.length === 0) return null;
  return (
    <section aria-labelledby="open-settlements">
      <h2 id="open-settlements">Open</h2>
      {differences.length > 0 && (
        <Differences of={differences} caption="Open differences" now={now} onAcknowledge={onAcknowledge} />
      )}
      {lines.length > 0 && (
        <>
          <p>
            {count(
              lines.length,
              differences.length > 0 ? 'other line is' : 'line is',
              differences.length > 0 ? 'other lines are' : 'lines are',
            )}{' '}
            not in the books yet.
          </p>
          <Lines of={lines} caption="Open lines" dated />
        </>
      )}
      {known.length > 0 && <Differences of={known} caption="Acknowledged differences, which stay" now={now} />}
    </section>
  );
}
