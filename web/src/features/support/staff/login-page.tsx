import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { useBrowserCheck } from '@/lib/checking';
import { explain, toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { signInByPasskey } from '../api/passkeys';
import { meQuery } from '../api/queries';
import { useCall } from '../api/use-change';
import { signIn } from '../api/staff';
import type { StaffMember } from '../api/support';
import { useKnowsPasskeys } from './own-passkeys';
import { CodeField, withoutSpaces } from './secret-form';
import '@/styles/app.scss';
import '../shell/support.scss';

/** Allows only pages of the console itself, to prevent open redirects. */
function safeNext(next: string | null): string {
  return next?.startsWith('/support') && !next.startsWith('/support/login') ? next : '/support';
}

function whatFailed(error: unknown): string {
  const { status, detail, message } = toApiError(error);
  return status === 429 ? explain(error) : detail || message;
}

const signInWith = ({ email, password, code }: Parameters<typeof signIn>[0]) =>
  signIn({ email: email.trim(), password, code: withoutSpaces(code) }).catch((error: unknown) => {
    throw toApiError(error).status === 422 ? error : new Error(whatFailed(error));
  });

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
  const passkey = useCall(signInByPasskey, { onSuccess });
  const form = useAppForm({
    defaultValues: { email: '', password: '', code: '' },
    onSubmit: async (typed: Parameters<typeof signIn>[0]) => {
      passkey.reset();
      onSuccess(await signInWith(typed));
    },
  });
  const known = useKnowsPasskeys();
  const check = useBrowserCheck();
  return (
    <main className="console-login">
      <h1>Franchise 360 Support</h1>
      <p>For staff. Have your authenticator app at hand.</p>
      {passkey.error && (
        <p role="alert" className="console-error">
          {whatFailed(passkey.error)}
        </p>
      )}
      <Form form={form} label="Staff sign-in" summary={false}>
        <TextField name="email" label="E-mail" inputMode="email" autoComplete="username" />
        <PasswordField autoComplete="current-password" />
        <CodeField label="Authenticator code" />
        <SubmitButton block>Sign in</SubmitButton>
        {known && (
          <Button variant="outline" block pending={passkey.isPending} onClick={() => passkey.mutate()}>
            Use a passkey
          </Button>
        )}
        <p role="status">{passkey.isPending && check}</p>
      </Form>
    </main>
  );
}
