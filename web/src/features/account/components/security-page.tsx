import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Breadcrumb } from '@/components/breadcrumb';
import { Button } from '@/components/button';
import { Badge, Notice } from '@/components/notice';
import { PageTitle } from '@/components/page-title';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { formatInstant } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useRevokeOtherSessions } from '../api/revoke-other-sessions';
import { useRevokeSession } from '../api/revoke-session';
import { sessionsQuery } from '../api/sessions';
import '@/styles/account.scss';

type SessionRow = components['schemas']['SessionRow'];

function SessionList({ sessions }: { sessions: readonly SessionRow[] }) {
  const revoke = useRevokeSession();
  const revokeOthers = useRevokeOtherSessions();
  const said = { onSuccess: ({ message }: { message: string }) => toast.success(message) };
  const failure = revoke.error ?? revokeOthers.error;
  return (
    <>
      {failure && (
        <Notice tone="danger" live>
          {explain(failure)}
        </Notice>
      )}
      <ul className="plain-list session-list">
        {sessions.map(({ id, current, device, ip_address, created_at, last_seen_at }) => (
          <li key={id}>
            <div>
              <p className="fw-bold">
                {device} {current && <Badge tone="success">This device</Badge>}
              </p>
              <p className="text-muted text-sm">
                {ip_address} · signed in {formatInstant(created_at)} · last seen {formatInstant(last_seen_at)}
              </p>
            </div>
            {!current && (
              <Button variant="outline" size="sm" pending={revoke.isPending && revoke.variables === id} onClick={() => revoke.mutate(id, said)}>
                End session<span className="visually-hidden"> on {device}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="outline" pending={revokeOthers.isPending} onClick={() => revokeOthers.mutate(undefined, said)}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}

/** Where the account is signed in, each of which can be ended. */
export function SecurityPage() {
  const sessions = useQuery(sessionsQuery);
  return (
    <div className="container page account">
      <Breadcrumb items={[{ label: 'Account', to: '/account' }, { label: 'Security' }]} />
      <div className="mt-3">
        <PageTitle
          title="Security"
          intro={
            <>
              Where your account is signed in. End what you do not know, then <Link to="/forgot-password">set a new password</Link>.
            </>
          }
        >
          Security
        </PageTitle>
      </div>
      <section className="account-form stack" aria-label="Your sessions">
        {sessions.isPending && (
          <Loading what="your sessions" onRetry={() => void sessions.refetch()}>
            <Skeleton lines={4} />
          </Loading>
        )}
        {sessions.isError && <ErrorState error={sessions.error} what="your sessions" onRetry={() => void sessions.refetch()} />}
        {sessions.isSuccess && <SessionList sessions={sessions.data} />}
      </section>
    </div>
  );
}
