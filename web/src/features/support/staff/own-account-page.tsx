import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Button } from '@/ui/button';
import { PasswordField } from '@/ui/form/password-field';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { toApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { meQuery } from '../api/queries';
import { roleNames } from '../api/rights';
import { changePassword, endOwnSession, ownQuery, proposeAuthenticator, replaceAuthenticator } from '../api/staff';
import { useCall, useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import { AuthenticatorCode } from './authenticator-code';
import { OwnPasskeys } from './own-passkeys';
import { CodeField, CurrentPassword, CurrentProof, proofOf, SecretForm, withoutSpaces } from './secret-form';
import { ActivityLists } from './staff-activity';
import '../customers/support-customers.scss';
import '../connected/connected.scss';

function Password() {
  return (
    <SecretForm label="Change the password" values={{ current_password: '', password: '' }} send={changePassword}>
      <CurrentPassword />
      <PasswordField label="New password, 12 characters or more" autoComplete="new-password" />
    </SecretForm>
  );
}

function ReplaceAuthenticator() {
  const propose = useCall(proposeAuthenticator);
  if (!propose.data)
    return (
      <>
        <p>Codes of another app, or of the app on another phone, replace those of today.</p>
        <Refusal error={propose.error} />
        <Button variant="outline" pending={propose.isPending} onClick={() => propose.mutate()}>
          Replace the authenticator
        </Button>
      </>
    );
  const { sealed } = propose.data;
  return (
    <SecretForm
      label="Use this authenticator"
      values={{ code: '', ...proofOf({}) }}
      send={(typed) => replaceAuthenticator({ ...proofOf(typed), sealed, code: withoutSpaces(typed.code) })}
      onDone={() => propose.reset()}
    >
      <AuthenticatorCode of={propose.data} />
      <CodeField label="First code of the app" />
      <CurrentProof />
      <p>If you no longer have the current app, ask an admin to reset your authenticator.</p>
    </SecretForm>
  );
}

/** One's own sign-in: password, authenticator, passkeys, sessions and sign-ins. */
export function OwnAccountPage() {
  const me = useQuery(meQuery).data;
  const own = useQuery(ownQuery);
  const navigate = useNavigate();
  const end = useChange(endOwnSession, {
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => {
      if (toApiError(error).status === 401) void navigate('/support/login');
    },
  });
  return (
    <div className="connected">
      <PageBar title="Your account" />
      {me && (
        <p>
          {me.name}, {me.email}. {roleNames[me.role]}.
        </p>
      )}
      <h2>Password</h2>
      <Password />
      <h2>Authenticator</h2>
      <ReplaceAuthenticator />
      <h2>Passkeys</h2>
      {own.data && <OwnPasskeys passkeys={own.data.passkeys} now={own.dataUpdatedAt} />}
      <h2>Where you are signed in</h2>
      <Async query={own} what="your sessions" lines={4} />
      <Refusal error={end.error} />
      {own.data && <ActivityLists activity={own.data} now={own.dataUpdatedAt} onEnd={(id) => end.mutate(id)} />}
    </div>
  );
}
