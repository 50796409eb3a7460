import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { PasswordField } from '@/ui/form/password-field';
import { TextField } from '@/ui/form/text-field';
import { Async } from '@/ui/states';
import { explain, type ApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { roleNames } from '../api/rights';
import { enrol, invitationQuery, type Enrolment } from '../api/staff';
import { AuthenticatorCode } from './authenticator-code';
import { CodeField, SecretForm, withoutSpaces } from './secret-form';
import '@/styles/app.scss';
import '../shell/support.scss';
import '../connected/connected.scss';

function EnrolForm({ link, of }: { link: string; of: Enrolment }) {
  const navigate = useNavigate();
  return (
    <>
      <p>
        {of.enrols
          ? `Your authenticator was reset, ${of.name}. Set a new password and connect an authenticator app.`
          : `You are invited, ${of.name}. Set a password and connect an authenticator app.`}{' '}
        You then sign in as {of.email}.
      </p>
      <p>{roleNames[of.role]}.</p>
      <SecretForm
        label={of.enrols ? 'Set up the sign-in' : 'Make the account'}
        values={{ username: of.email, password: '', code: '' }}
        send={({ password, code }) =>
          enrol({ link, password, sealed: of.authenticator.sealed, code: withoutSpaces(code) })
        }
        onDone={() => void navigate('/support/login', { replace: true })}
      >
        <TextField name="username" label="E-mail" autoComplete="username" readOnly />
        <PasswordField label="Password, 12 characters or more" autoComplete="new-password" />
        <AuthenticatorCode of={of.authenticator} />
        <CodeField label="First code of the app" />
      </SecretForm>
    </>
  );
}

/** Where the link of an invitation leads: nothing opens before password and authenticator are set. */
export function JoinPage() {
  usePageMeta({ title: 'Invitation to the staff' });
  const [link] = useState(() => (typeof location === 'undefined' ? '' : location.hash.slice(1)));
  const invitation = useQuery(invitationQuery(link));
  const refusal = (error: ApiError) =>
    (error.status === 400 || error.status === 422) && (
      <>
        <p role="alert" className="console-error">
          {explain(error)}
        </p>
        <p>
          <Link to="/support/login">Staff sign-in</Link>
        </p>
      </>
    );
  return (
    <main className="console-login">
      <h1>Franchise 360 Support</h1>
      <Async query={invitation} what="the invitation" skeleton={null} explained={refusal}>
        {(of) => <EnrolForm link={link} of={of} />}
      </Async>
    </main>
  );
}
