import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { useAppForm } from '@/ui/form/use-app-form';
import { toast } from '@/lib/toast';
import { authenticatorCode, currentPassword } from '@/lib/validation';
import { useRequestErasure } from '../api/request-erasure';
import { ProofFields } from '@/domain/proof-fields';

const schema = z.object({
  understood: z.boolean().check(z.refine((understood) => understood, t`Please confirm that you understand`)),
  password: currentPassword(),
  code: z.optional(authenticatorCode()),
});

export interface ErasureFormProps {
  /** Days in which the request can still be withdrawn. */
  days: number;
  /** What the law requires us to keep. */
  kept: readonly string[];
  /** What must be refunded first; null if nothing. */
  owed: string | null;
  onDone: () => void;
}

/** Explains which data an erasure removes and keeps, and requests it with the password. */
export function ErasureForm({ days, kept, owed, onDone }: ErasureFormProps) {
  const request = useRequestErasure();
  const form = useAppForm({
    schema,
    defaultValues: { understood: false, password: '' },
    onSubmit: async ({ password, code }) => {
      const { message } = await request.mutateAsync({ password, code });
      toast.success(message);
      onDone();
    },
  });
  return (
    <Form form={form} label={t`Erase your account`}>
      <dl className="erasure-facts">
        <dt>{t`For ${days} days`}</dt>
        <dd>{t`You can log in and use what you have paid for, but you cannot buy or renew anything; any payment that still arrives is returned. Choose “Keep my account” on this page to stop it.`}</dd>
        {owed && (
          <>
            <dt>{t`We owe you ${owed}`}</dt>
            <dd>{t`Your account will be erased once we have returned it, even if that takes longer.`}</dd>
          </>
        )}
        <dt>{t`After that`}</dt>
        <dd>{t`Your profile, sign-ins, address, subscriptions to news and messages to us are erased, your store is closed, and you can no longer log in.`}</dd>
        <dt>{t`What the law makes us keep`}</dt>
        {kept.map((what) => (
          <dd key={what}>{what}</dd>
        ))}
      </dl>
      <CheckboxField name="understood" label={t`I understand that my account cannot be restored`} />
      <ProofFields />
      <SubmitButton block size="lg" variant="danger">{t`Erase my account`}</SubmitButton>
    </Form>
  );
}
