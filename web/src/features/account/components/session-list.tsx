import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Button } from '@/ui/button';
import { Badge, Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { formatInstant } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useRevokeOtherSessions } from '../api/revoke-other-sessions';
import { useRevokeSession } from '../api/revoke-session';
import { sessionsQuery } from '../api/sessions';
import { SettingsRow } from './settings-section';

/** The account's active sessions, each of which can be ended. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery);
  const revoke = useRevokeSession();
  const revokeOthers = useRevokeOtherSessions();
  if (sessions.data === undefined) return <Async query={sessions} what={t`your sessions`} lines={4} />;

  const said = { onSuccess: ({ message }: { message: string }) => toast.success(message) };
  const failure = revoke.error ?? revokeOthers.error;
  return (
    <>
      {failure && (
        <Notice tone="danger" live>
          {explain(failure)}
        </Notice>
      )}
      <ul className="plain-list">
        {sessions.data.map(({ id, current, device, ip_address, created_at, last_seen_at }) => (
          <li key={id}>
            <SettingsRow
              title={
                <>
                  {device} {current && <Badge tone="success">{t`This device`}</Badge>}
                </>
              }
              action={
                !current && (
                  <Button
                    variant="outline"
                    size="sm"
                    pending={revoke.isPending && revoke.variables === id}
                    onClick={() => revoke.mutate(id, said)}
                  >
                    <Trans>
                      End session<span className="visually-hidden"> on {device}</span>
                    </Trans>
                  </Button>
                )
              }
            >
              <p className="text-sm">{t`Last seen ${formatInstant(last_seen_at)} from ${ip_address}`}</p>
              <p className="text-sm">{t`Signed in ${formatInstant(created_at)}`}</p>
            </SettingsRow>
          </li>
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <div className="settings-foot">
          <Button
            variant="outline"
            pending={revokeOthers.isPending}
            onClick={() => revokeOthers.mutate(undefined, said)}
          >{t`Sign out everywhere else`}</Button>
        </div>
      )}
    </>
  );
}
