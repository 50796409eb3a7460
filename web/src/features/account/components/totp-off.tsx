import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { toast } from '@/lib/toast';
import { AuthenticatorCodeField } from '@/domain/proof-fields';
import { authenticatorCode, currentPassword } from '@/lib/validation';
import { useDisableTotp } from '../api/totp-disable';

const schema = z.object({ password: currentPassword(), code: authenticatorCode() });

/** Switches the authenticator app off; requires the password and a code from the app or a recovery code. */
export function TotpOff({ onDone }: { onDone: () => void }) {
  const disable = useDisableTotp();
  const form = useAppForm({
    schema,
    defaultValues: { password: '', code: '' },
    onSubmit: async (values) => {
      const { message } = await disable.mutateAsync(values);
      toast.success(message);
      onDone();
    },
  });
  return (
    <Form form={form} label={t`Switch off the authenticator app`}>
      <p className="text-muted">{t`You then log in with your password alone, and your recovery codes stop working.`}</p>
      <PasswordField autoComplete="current-password" />
      <AuthenticatorCodeField />
      <SubmitButton block size="lg" variant="danger">{t`Switch off`}</SubmitButton>
    </Form>
  );
}
