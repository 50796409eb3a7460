import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { TextField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import type { components } from '@/lib/api/schema.gen';
import { authenticatorCode } from '@/lib/validation';
import { useLoginTotp } from '../api/login-totp';
import { AuthFrame } from './auth-frame';

const schema = z.object({ code: authenticatorCode() });

export interface TotpStepProps {
  token: string;
  onSignedIn: (signedIn: components['schemas']['SignedIn'], message: string) => void;
  onBack: () => void;
}

/** The second step of a login whose account has an authenticator app. */
export function TotpStep({ token, onSignedIn, onBack }: TotpStepProps) {
  const login = useLoginTotp();
  const form = useAppForm({
    schema,
    defaultValues: { code: '' },
    onSubmit: async ({ code }) => {
      const { data, message } = await login.mutateAsync({ totp_token: token, code });
      onSignedIn(data, message);
    },
  });
  return (
    <AuthFrame
      title="Enter your authenticator code"
      pageName="Login"
      intro="Your password is right. One more step keeps your account safe."
    >
      <Form form={form} label="Authenticator code">
        <TextField
          name="code"
          label="Code"
          hint="Six digits from your authenticator app, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="input-code"
        />
        <SubmitButton block size="lg">
          Verify
        </SubmitButton>
      </Form>
      <p>
        <button type="button" className="btn-text" onClick={onBack}>
          Back to login
        </button>
      </p>
    </AuthFrame>
  );
}
