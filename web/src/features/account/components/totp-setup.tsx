import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { z } from 'zod/mini';
import { QRCodeSVG } from 'qrcode.react';
import { CopyButton } from '@/ui/copy-button';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import type { components } from '@/lib/api/schema.gen';
import { toast } from '@/lib/toast';
import { currentPassword, otp } from '@/lib/validation';
import { useConfirmTotp } from '../api/totp-confirm';
import { useEnrolTotp } from '../api/totp-enrol';
import { RecoveryCodes } from './recovery-codes';

type Enrolment = components['schemas']['TotpEnrolment'];

const passwordSchema = z.object({ password: currentPassword() });
const codeSchema = z.object({ code: otp() });
const SIZE = 192;

/** Switches the authenticator app on: the password, then the QR code and a first code, then the recovery codes. */
export function TotpSetup({ onDone }: { onDone: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  if (recovery) return <RecoveryCodes codes={recovery} onDone={onDone} />;
  if (enrolment) return <FirstCode enrolment={enrolment} onOn={setRecovery} onExpired={() => setEnrolment(null)} />;
  return <PasswordStep onEnrolment={setEnrolment} />;
}

function PasswordStep({ onEnrolment }: { onEnrolment: (enrolment: Enrolment) => void }) {
  const enrol = useEnrolTotp();
  const form = useAppForm({
    schema: passwordSchema,
    defaultValues: { password: '' },
    onSubmit: async ({ password }) => onEnrolment(await enrol.mutateAsync(password)),
  });
  return (
    <Form form={form} label={t`Your password`}>
      <p className="text-muted">{t`First confirm your password. Then connect the app, and keep the recovery codes in case you lose your phone. An app is safer than codes by SMS, which reach anyone who takes over your number.`}</p>
      <PasswordField autoComplete="current-password" />
      <SubmitButton block size="lg">{t`Continue`}</SubmitButton>
    </Form>
  );
}

interface FirstCodeProps {
  enrolment: Enrolment;
  onOn: (recovery: readonly string[]) => void;
  onExpired: () => void;
}

function FirstCode({ enrolment, onOn, onExpired }: FirstCodeProps) {
  const confirm = useConfirmTotp();
  const form = useAppForm({
    schema: codeSchema,
    defaultValues: { code: '' },
    onSubmit: async ({ code }) => {
      const { data, message } = await confirm.mutateAsync(code);
      toast.success(message);
      onOn(data.recovery_codes);
    },
  });
  // An unconfirmed secret expires; the dialog then starts over.
  useEffect(() => {
    const timer = setTimeout(() => {
      toast.warn(t`That took a while. Please begin again.`);
      onExpired();
    }, enrolment.expires_in * 1000);
    return () => clearTimeout(timer);
  }, [enrolment, onExpired]);
  const { setFocus } = form.methods;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <Form form={form} label={t`First code`}>
      <ol className="totp-steps">
        <li>
          <p>{t`Scan this with your app.`}</p>
          <div className="totp-qr">
            <QRCodeSVG
              value={enrolment.otpauth_url}
              size={SIZE}
              marginSize={4}
              level="M"
              title={t`QR code for your authenticator app`}
            />
          </div>
          <p className="text-sm">
            <Trans>
              On this device? <a href={enrolment.otpauth_url}>Open it in your app</a>, or type the key:
            </Trans>
          </p>
          <p className="totp-key">
            <code>{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>{' '}
            <CopyButton value={enrolment.secret} what={t`key`} done={t`Key copied`} />
          </p>
        </li>
        <li>
          <TextField
            name="code"
            label={t`Code`}
            hint={t`Type the six digits that the app shows now.`}
            inputMode="numeric"
            autoComplete="one-time-code"
            clean={(typed) => typed.replace(/[^\d ]/g, '')}
            className="input-code"
          />
        </li>
      </ol>
      <SubmitButton block size="lg">{t`Switch on`}</SubmitButton>
    </Form>
  );
}
