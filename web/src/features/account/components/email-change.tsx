import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { z } from 'zod/mini';
import { CodeForm } from '@/ui/code-form/code-form';
import { Form, SubmitButton } from '@/ui/form/form';
import { ProofFields } from '@/domain/proof-fields';
import { EmailField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { maskMobile } from '@/lib/format';
import { toast } from '@/lib/toast';
import { authenticatorCode, currentPassword, email } from '@/lib/validation';
import { useConfirmEmail } from '../api/confirm-email';
import { useRequestEmailCode } from '../api/request-email-code';
import { useCodeStep } from '../use-code-step';

const schema = z.object({ email: email(), password: currentPassword(), code: z.optional(authenticatorCode()) });

type Asked = z.infer<typeof schema>;

export interface EmailChangeProps {
  /** The mobile on file, which receives the code. */
  mobile: string;
  onDone: () => void;
}

/** Changes the e-mail: the address, the password and a code of the authenticator app if one is in use, then the code sent to the mobile on file. */
export function EmailChange({ mobile, onDone }: EmailChangeProps) {
  const request = useRequestEmailCode();
  const confirm = useConfirmEmail();
  const step = useCodeStep<Asked>((asked) => request.mutateAsync(asked));
  const [typed, setTyped] = useState('');

  if (!step.sent) {
    return (
      <EmailForm
        mobile={mobile}
        typed={typed}
        onAsk={async (asked) => {
          setTyped(asked.email);
          await step.ask(asked);
        }}
      />
    );
  }
  const { email: address } = step.sent.asked;
  const handleCode = async (otp: string) => {
    const { message } = await confirm.mutateAsync({ email: address, otp });
    toast.success(message);
    onDone();
  };
  return (
    <CodeForm
      mobile={mobile}
      resendAt={step.sent.resendAt}
      onCode={handleCode}
      onResend={step.resend}
      resending={request.isPending}
      resendProblem={request.error}
      onChange={step.back}
      changes={t`email`}
      focused
    />
  );
}

function EmailForm({
  mobile,
  typed,
  onAsk,
}: {
  mobile: string;
  typed: string;
  onAsk: (asked: Asked) => Promise<void>;
}) {
  const form = useAppForm({ schema, defaultValues: { email: typed, password: '' }, onSubmit: onAsk });
  return (
    <Form form={form} label={t`Change your e-mail`}>
      <EmailField label={t`New e-mail`} hint={t`To confirm it we send a code by SMS to +91 ${maskMobile(mobile)}.`} />
      <ProofFields />
      <SubmitButton block size="lg">{t`Send code`}</SubmitButton>
    </Form>
  );
}
