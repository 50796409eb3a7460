import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { z } from 'zod/mini';
import { CodeForm } from '@/ui/code-form/code-form';
import { Form, SubmitButton } from '@/ui/form/form';
import { MobileField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { toast } from '@/lib/toast';
import { authenticatorCode, currentPassword, mobile } from '@/lib/validation';
import { useConfirmMobile } from '../api/confirm-mobile';
import { useRequestMobileCode } from '../api/request-mobile-code';
import { useCodeStep } from '../use-code-step';
import { ProofFields } from '@/domain/proof-fields';

const schema = z.object({
  mobile: mobile(t`New mobile number`),
  password: currentPassword(),
  code: z.optional(authenticatorCode()),
});

type Asked = z.infer<typeof schema>;

/** Changes the mobile number: the number and the password, then the code sent to it. */
export function MobileChange({ onDone }: { onDone: () => void }) {
  const request = useRequestMobileCode();
  const confirm = useConfirmMobile();
  const step = useCodeStep<Asked>((asked) => request.mutateAsync(asked));
  const [typed, setTyped] = useState('');

  if (!step.sent) {
    return (
      <MobileForm
        typed={typed}
        onAsk={async (asked) => {
          setTyped(asked.mobile);
          await step.ask(asked);
        }}
      />
    );
  }
  const { mobile: number } = step.sent.asked;
  const handleCode = async (otp: string) => {
    const { message } = await confirm.mutateAsync({ mobile: number, otp });
    toast.success(message);
    onDone();
  };
  return (
    <CodeForm
      mobile={number}
      resendAt={step.sent.resendAt}
      onCode={handleCode}
      onResend={step.resend}
      resending={request.isPending}
      resendProblem={request.error}
      onChange={step.back}
      focused
    />
  );
}

function MobileForm({ typed, onAsk }: { typed: string; onAsk: (asked: Asked) => Promise<void> }) {
  const form = useAppForm({ schema, defaultValues: { mobile: typed, password: '' }, onSubmit: onAsk });
  return (
    <Form form={form} label={t`Change your mobile number`}>
      <p className="text-muted">{t`You log in with the new number from then on, and it becomes your store’s username. Your other devices are signed out.`}</p>
      <MobileField label={t`New mobile number`} hint={t`We send a code to it.`} />
      <ProofFields />
      <SubmitButton block size="lg">{t`Send code`}</SubmitButton>
    </Form>
  );
}
