import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { explain, toApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { formatInstant, formatMobile } from '@/lib/format';
import { loginPath, withReturn } from '@/lib/session/redirect';
import { roleWords } from '@/lib/session/roles';
import { useHydrated, useSession } from '@/lib/session/session';
import { useAcceptInvitation } from '../api/accept-invitation';
import { invitationQuery } from '../api/invitation';
import { useSwitchAccount } from '../api/switch-account';
import '@/styles/app.scss';
import './team.scss';

type Invitation = components['schemas']['TeamInvitation'];

/** The page of an SMS invitation: who invites, to which account, and the role's permissions. */
export function InvitationPage() {
  const { code = '' } = useParams();
  const invitation = useQuery(invitationQuery(code));
  const over = toApiError(invitation.error).status === 404;
  return (
    <div className="container page team invitation">
      <PageTitle title={t`Invitation`}>{t`You are invited`}</PageTitle>
      {over ? (
        <EmptyState
          title={t`This invitation is no longer valid.`}
          action={<ButtonLink to="/accounts">{t`Your accounts`}</ButtonLink>}
        >{t`It was accepted, withdrawn, replaced by a newer one, or has expired. Ask who invited you to send it again.`}</EmptyState>
      ) : (
        <Async query={invitation} what={t`your invitation`}>
          {(loaded) => <Offer code={code} invitation={loaded} />}
        </Async>
      )}
    </div>
  );
}

function Offer({ code, invitation }: { code: string; invitation: Invitation }) {
  const { account_name: account, invited_by: owner, role, mobile, expires_at: until } = invitation;
  const signedIn = useSession().isAuthenticated;
  const hydrated = useHydrated();
  const inviter = owner || t`The owner`;
  const as = roleWords[role].name.toLowerCase();
  return (
    <>
      <div className="panel">
        <p>
          {account ? (
            <Trans>
              {inviter} invites you to the Franchise 360 account <b>{account}</b> as {as}.
            </Trans>
          ) : (
            t`${inviter} invites you to the Franchise 360 account as ${as}.`
          )}
        </p>
        <p>
          {roleWords[role].name}: {roleWords[role].may}
        </p>
        <p className="text-muted text-sm mb-0">{t`For the mobile number ${mobile}, until ${formatInstant(until)}.`}</p>
      </div>
      {hydrated && (signedIn ? <Accept code={code} /> : <Doors code={code} mobile={mobile} />)}
    </>
  );
}

function Doors({ code, mobile }: { code: string; mobile: string }) {
  const back = `/team/${code}`;
  return (
    <>
      <p>{t`To accept, log in with the number ${mobile}, or create a login with it. You come back here afterwards.`}</p>
      <div className="d-flex flex-wrap gap-3">
        <ButtonLink to={loginPath(back)} size="lg">{t`Log in`}</ButtonLink>
        <ButtonLink to={withReturn('/sign-up', back)} variant="outline" size="lg">{t`Create a login`}</ButtonLink>
      </div>
    </>
  );
}

function Accept({ code }: { code: string }) {
  const { user } = useSession();
  const accept = useAcceptInvitation();
  const change = useSwitchAccount();
  const handleAccept = () => accept.mutate(code, { onSuccess: ({ data }) => change.mutate(data.id) });
  const failure = accept.error ?? change.error;
  return (
    <>
      {failure && (
        <Notice tone="danger" live>
          {explain(failure)}
        </Notice>
      )}
      {user?.mobile && <p>{t`You are logged in with ${formatMobile(user.mobile)}.`}</p>}
      <div className="d-flex flex-wrap gap-3">
        <Button size="lg" pending={accept.isPending || change.isPending} onClick={handleAccept}>{t`Accept`}</Button>
      </div>
    </>
  );
}
