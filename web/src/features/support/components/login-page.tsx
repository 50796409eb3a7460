import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { useBrowserCheck } from '@/lib/api/browser-check';
import { type ApiError, explain, toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { signInByPasskey } from '../api/passkeys';
import { meQuery } from '../api/queries';
import { inPlace, signIn, type StaffMember } from '../api/support';
import { useKnowsPasskeys } from './own-passkeys';
import '@/styles/app.scss';
import './support.scss';

/** Allows only pages of the console itself, to prevent open redirects. */
function safeNext(next: string | null): string {
  return next?.startsWith('/support') && !next.startsWith('/support/login') ? next : '/support';
}

function whatFailed(failure: ApiError): string {
  if (failure.status === 422) return Object.values(failure.fields).flat().join(' ');
  return failure.status === 429 ? explain(failure) : failure.detail || failure.message;
}

/** Staff sign in in one step: by e-mail, password and the code of their authenticator app, or by a passkey. */
export function SupportLoginPage() {
  usePageMeta({ title: 'Staff sign-in' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [params] = useSearchParams();
  const onSuccess = (me: StaffMember) => {
    queries.setQueryData(meQuery.queryKey, me);
    void navigate(safeNext(params.get('next')), { replace: true });
  };
  const login = useMutation({ ...inPlace, mutationFn: signIn, onSuccess });
  const passkey = useMutation({ ...inPlace, mutationFn: signInByPasskey, onSuccess });
  const known = useKnowsPasskeys();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    passkey.reset();
    const typed = new FormData(event.currentTarget);
    const word = (name: string) => String(typed.get(name) ?? '');
    login.mutate({ email: word('email').trim(), password: word('password'), code: word('code').replaceAll(/\s/g, '') });
  };
  const check = useBrowserCheck();
  const failed = passkey.error ?? login.error;
  const failure = failed ? toApiError(failed) : undefined;
  return (
    <main className="console-login">
      <h1>Franchise 360 Support</h1>
      <p>For staff. Have your authenticator app at hand.</p>
      {failure && (
        <p role="alert" className="console-error">
          {whatFailed(failure)}
        </p>
      )}
      <form onSubmit={submit} noValidate aria-label="Staff sign-in">
        <label htmlFor="staff-email">E-mail</label>
        <input id="staff-email" className="input" name="email" inputMode="email" autoComplete="username" required />
        <label htmlFor="staff-password">Password</label>
        <input
          id="staff-password"
          className="input"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <label htmlFor="staff-code">Authenticator code</label>
        <input
          id="staff-code"
          className="input"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
        <Button type="submit" block pending={login.isPending}>
          Sign in
        </Button>
        {known && (
          <Button
            variant="outline"
            block
            pending={passkey.isPending}
            onClick={() => {
              login.reset();
              passkey.mutate();
            }}
          >
            Use a passkey
          </Button>
        )}
        <p role="status">{check}</p>
      </form>
    </main>
  );
}
