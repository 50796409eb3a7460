import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { useAppForm } from '@/ui/form/use-app-form';
import { AuthenticatorCodeField } from '@/domain/proof-fields';
import { authenticatorCode } from '@/lib/validation';
import { useLoginTotp } from '../api/login-totp';
import type { LoginFormProps } from './login-form';

const schema = z.object({ code: authenticatorCode() });

export interface TotpFormProps extends Pick<LoginFormProps, 'onSignedIn'> {
  token: string;
  onBack: () => void;
}

/** The second step of a login for accounts with an authenticator app. */
export function TotpForm({ token, onSignedIn, onBack }: TotpFormProps) {
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
    <>
      <Form form={form} label={t`Authenticator code`}>
        <AuthenticatorCodeField />
        <SubmitButton block size="lg">{t`Verify`}</SubmitButton>
      </Form>
      <p>
        <button type="button" className="btn-text" onClick={onBack}>{t`Back to login`}</button>
      </p>
    </>
  );
}
