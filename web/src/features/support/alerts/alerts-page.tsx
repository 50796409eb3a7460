import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { Notice, StatusText } from '@/ui/notice';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { formatInstant } from '@/lib/format';
import { useMay } from '../api/rights';
import {
  acknowledgeAlert,
  alertRulesQuery,
  alertsQuery,
  pastAlertsQuery,
  silenceAlert,
  unsilenceAlert,
  type Alert,
} from '../api/watch';
import { AlertHistory, AlertRulesTable, ruleName } from './alerts-tables';
import { ReasonDialog } from '../shared/reason-dialog';
import { useNow, When } from '../shared/when';
import { Offer } from '../shared/offer';

type Act = 'own' | 'silence' | 'unsilence';

const words: Record<Act, { label: string; effect: string; usual: string[] }> = {
  own: {
    label: 'Take it on',
    effect: 'Everybody sees that you are handling this alert. It is still delivered.',
    usual: ['I look at it', 'I called the provider'],
  },
  silence: {
    label: 'Silence',
    effect: 'Nobody is notified of it during that time, even if it ends and starts again. It stays on this page.',
    usual: ['The provider works on it', 'Planned maintenance'],
  },
  unsilence: {
    label: 'End the silence',
    effect: 'It is delivered again at once while it lasts.',
    usual: ['The maintenance is over'],
  },
};

const spans: [minutes: string, name: string][] = [
  ['30', '30 minutes'],
  ['60', '1 hour'],
  ['240', '4 hours'],
  ['1440', '1 day'],
  ['10080', '7 days'],
];

function ActDialog({ act, of, onClose }: { act: Act; of: Alert; onClose: () => void }) {
  const { label, effect, usual } = words[act];
  const send = (reason: string, _: unknown, { minutes }: { minutes: string }) => {
    if (act === 'own') return acknowledgeAlert(of.id, reason);
    return act === 'silence' ? silenceAlert(of.id, Number(minutes), reason) : unsilenceAlert(of.id, reason);
  };
  return (
    <ReasonDialog
      title={`${label}: ${ruleName(of.rule)}`}
      label={label}
      effect={<p>{effect}</p>}
      suggestions={usual}
      values={{ minutes: '60' }}
      act={send}
      onClose={onClose}
    >
      {act === 'silence' && <NativeSelectField name="minutes" label="For how long" options={spans} />}
    </ReasonDialog>
  );
}

interface OpenAlertProps {
  of: Alert;
  now: number;
  onAct: ((act: Act) => void) | undefined;
  maySilence: boolean;
}

function OpenAlert({ of, now, onAct, maySilence }: OpenAlertProps) {
  const silenced = of.silenced_until !== null && Date.parse(of.silenced_until) > now;
  const button = (act: Act, label = words[act].label) => (
    <Offer onClick={() => onAct?.(act)} of={`: ${of.message}`}>
      {label}
    </Offer>
  );
  return (
    <li>
      <div className="contact-head">
        <h3>{ruleName(of.rule)}</h3>
        <StatusText tone={of.severity === 'critical' ? 'danger' : 'warning'}>
          {of.severity === 'critical' ? 'Critical' : 'Warning'}
        </StatusText>
      </div>
      <p>{of.message}</p>
      <p className="console-hint">
        Since <When at={of.opened_at} now={now} />.{' '}
        {of.acknowledged_by ? `${of.acknowledged_by} is handling it.` : 'Nobody has taken it on.'}
        {silenced &&
          of.silenced_until &&
          ` Silenced until ${formatInstant(of.silenced_until)} by ${of.silenced_by}: ${of.silence_reason}`}
      </p>
      <p className="d-flex flex-wrap gap-2">
        <Link className="btn btn-outline btn-sm" to={of.console}>
          Open where it can be fixed<span className="visually-hidden">: {of.message}</span>
        </Link>
        {of.runbook && (
          <Link className="btn btn-outline btn-sm" to={`/support/runbooks/${of.runbook}`}>
            Runbook<span className="visually-hidden">: {of.message}</span>
          </Link>
        )}
        {onAct && button('own')}
        {onAct && maySilence && button('silence', silenced ? 'Silence anew' : 'Silence')}
        {onAct && maySilence && silenced && button('unsilence')}
      </p>
    </li>
  );
}

/** What needs attention, who looks after it, what happened before, and the rules by which alerts are raised. */
export function AlertsPage() {
  const alerts = useQuery(alertsQuery);
  const past = useQuery(pastAlertsQuery);
  const rules = useQuery(alertRulesQuery);
  const mayAct = useMay('help');
  const admin = useMay('admin');
  const now = useNow();
  const [asked, setAsked] = useState<{ act: Act; of: Alert }>();
  return (
    <>
      <PageBar title="Alerts" />
      <h2>Open</h2>
      <Async query={alerts} what="the alerts" lines={4} tellStale />
      {alerts.data?.alerts.length === 0 && <Notice tone="success">All is well: no alert is open.</Notice>}
      <ul className="console-contacts">
        {alerts.data?.alerts.map((one) => (
          <OpenAlert
            key={one.id}
            of={one}
            now={now}
            onAct={mayAct ? (act) => setAsked({ act, of: one }) : undefined}
            maySilence={admin || !one.admins_alone}
          />
        ))}
      </ul>
      <h2>History</h2>
      <Async query={past} what="the history" lines={4} />
      {past.data && <AlertHistory of={past.data.alerts} />}
      <h2>Rules</h2>
      <Async query={rules} what="the rules" lines={4} />
      {rules.data && <AlertRulesTable of={rules.data} />}
      {asked && <ActDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
