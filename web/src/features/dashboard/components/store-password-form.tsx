import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { ProofFields } from '@/domain/proof-fields';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { toast } from '@/lib/toast';
import { authenticatorCode, currentPassword, password } from '@/lib/validation';
import { useUpdateStorePassword } from '../api/update-store-password';

/** Delay in milliseconds before the dialog closes once the password was changed. */
const CLOSE_MS = 1000;
const REQUIRED = t`Required`;

const chosen = z
  .object({
    password: z.pipe(z.string().check(z.minLength(1, REQUIRED)), password(t`New password`)),
    confirm_password: z.string().check(z.minLength(1, REQUIRED)),
  })
  .check(
    z.refine((values) => values.password === values.confirm_password || values.confirm_password === '', {
      path: ['confirm_password'],
      error: t`Confirm password should be the same as the new password`,
      when: () => true,
    }),
  );

const schema = z.intersection(
  chosen,
  z.object({ current_password: currentPassword(), code: z.optional(authenticatorCode()) }),
);

export interface StorePasswordFormProps {
  tenantId: string;
  /** Called once the confirmation has been shown. */
  onDone: () => void;
}

/** Asks twice for the new password of the store's own sign-in. */
export function StorePasswordForm({ tenantId, onDone }: StorePasswordFormProps) {
  const update = useUpdateStorePassword(tenantId);
  const [changed, setChanged] = useState(false);
  const form = useAppForm({
    schema,
    defaultValues: { password: '', confirm_password: '', current_password: '' },
    onSubmit: async ({ password, current_password, code }) => {
      const { message } = await update.mutateAsync({ password, current_password, code });
      toast.success(message);
      setChanged(true);
    },
  });
  useEffect(() => {
    if (!changed) return undefined;
    const timer = setTimeout(onDone, CLOSE_MS);
    return () => clearTimeout(timer);
  }, [changed, onDone]);

  if (changed) {
    return (
      <Notice
        tone="success"
        live
      >{t`The password is changed. Your team logs in to the franchise dashboard with the new one.`}</Notice>
    );
  }
  return (
    <Form form={form} label={t`Change store password`}>
      <p className="text-muted">{t`You and your team use this password to log in to the franchise dashboard.`}</p>
      <PasswordField name="password" label={t`New password`} autoComplete="new-password" rules />
      <PasswordField name="confirm_password" label={t`Confirm password`} autoComplete="new-password" />
      <ProofFields name="current_password" label={t`Password of your account`} />
      <SubmitButton block>{t`Update`}</SubmitButton>
    </Form>
  );
}
