import { Link } from 'react-router';
import { ListTable } from '@/ui/list/list-table';
import { formatInstant } from '@/lib/format';
import type { AlertRules, PastAlert } from '../api/watch';
import { count } from '../shared/count';

const ruleNames: Record<string, string> = {
  no_workers: 'No worker',
  dependency_failing: 'A dependency fails',
  database_failing: 'The database fails jobs',
  database_away: 'The database is away',
  redis_away: 'Redis is away',
  sms_volume: 'Many SMS are asked for',
  jobs_failing: 'Jobs fail',
  stuck_job: 'A job is stuck',
  hung_queue: 'A queue hangs',
  aging_queue: 'A queue waits too long',
  paused_queue: 'A queue is paused',
  schedule_missed: 'A recurring job is late or failed',
  sms_provider: 'A provider of messages fails',
  lost_documents: 'Documents are missing',
  debits_refused: 'Debits are refused',
  payment_held: 'A payment is held',
  payments_undecided: 'Payments are undecided',
  notices_missing: 'A gateway’s notices are missing',
  audit_changed: 'The audit trail was changed',
  audit_unchecked: 'The audit trail is unchecked',
  books_unsound: 'The books are out of order',
  books_unchecked: 'The books are unchecked',
  backup_missing: 'No backup was made',
  archiving_failing: 'Postgres’ log is not archived',
  slot_holds_wal: 'A replication slot holds back WAL',
  site_away: 'The site does not answer',
  einvoice_unregistered: 'Documents without a registration',
  deliveries_late: 'Late deliveries',
  webhook: 'A connected system gets no events',
};

export const ruleName = (rule: string) => ruleNames[rule] ?? rule;

const eventNames: Record<PastAlert['events'][number]['kind'], string> = {
  fired: 'Raised',
  grown: 'Became worse',
  delivered: 'Delivered',
  not_delivered: 'Could not be delivered',
  acknowledged: 'Taken on',
  silenced: 'Silenced',
  unsilenced: 'Silence ended',
  resolved: 'Resolved',
};

const channelNames: Record<AlertRules['channels'][number], string> = {
  email: 'e-mail',
  slack: 'Slack',
  webhook: 'webhook',
};

export function AlertHistory({ of }: { of: PastAlert[] }) {
  return (
    <ListTable
      none={<p>No alert was raised in the last 90 days.</p>}
      wide
      caption="History"
      rows={of}
      rowKey={(one) => one.id}
      columns={[
        {
          label: 'Alert',
          cell: (one) => (
            <>
              {ruleName(one.rule)} <span className="console-hint">{one.subject}</span>
            </>
          ),
        },
        { label: 'Raised', cell: (one) => formatInstant(one.opened_at) },
        { label: 'Resolved', cell: (one) => (one.resolved_at ? formatInstant(one.resolved_at) : 'Open') },
        {
          label: 'What happened',
          cell: (one) => (
            <details>
              <summary>
                {count(one.events.length, 'entry', 'entries')}
                <span className="visually-hidden"> of {ruleName(one.rule)}</span>
              </summary>
              <ul>
                {one.events.map((event) => (
                  <li key={`${event.at} ${event.kind} ${event.detail}`}>
                    {formatInstant(event.at)}: {eventNames[event.kind]}
                    {event.by && ` by ${event.by}`}
                    {event.detail && ` (${event.detail})`}
                  </li>
                ))}
              </ul>
            </details>
          ),
        },
      ]}
    />
  );
}

export function AlertRulesTable({ of }: { of: AlertRules }) {
  return (
    <>
      <p>
        {of.channels.length > 0
          ? `Alerts are delivered by ${of.channels.map((one) => channelNames[one]).join(', ')}.`
          : 'Alerts are delivered to nobody: no channel is set. They appear in the console only.'}
      </p>
      <ListTable
        wide
        caption="Rules"
        rows={of.rules}
        rowKey={(one) => one.name}
        columns={[
          { label: 'Rule', cell: (one) => ruleName(one.name) },
          { label: 'What is measured', cell: (one) => one.measures, long: true },
          { label: 'Raised at', cell: (one) => one.threshold, long: true },
          { label: 'Setting', cell: (one) => one.setting || 'None' },
          { label: 'Runbook', cell: (one) => <Link to={`/support/runbooks/${one.runbook}`}>{one.runbook}</Link> },
        ]}
      />
    </>
  );
}
