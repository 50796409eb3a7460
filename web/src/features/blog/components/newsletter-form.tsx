import { t } from '@lingui/core/macro';
import { useState } from 'react';
import * as z from 'zod/mini';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { EmailField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { consent } from '@/content/consent';
import { email } from '@/lib/validation';
import { subscribe } from '../api/newsletter';

const schema = z.object({
  email: email(),
  consent: z.boolean().check(z.refine((given) => given, t`Tick the box so that we can write to you`)),
});

/** Asks for the address and the consent, and reports the outcome. */
export function NewsletterForm() {
  const [thanks, setThanks] = useState('');
  const form = useAppForm({
    schema,
    defaultValues: { email: '', consent: false },
    onSubmit: async (values, signal) => {
      const { message } = await subscribe(values.email, signal);
      setThanks(message);
      form.methods.reset();
    },
  });
  return (
    <>
      {thanks && (
        <Notice tone="success" live>
          {thanks}
        </Notice>
      )}
      <Form form={form} label={t`Newsletter`}>
        <EmailField />
        <CheckboxField name="consent" label={consent.newsletter} />
        <SubmitButton>{t`Subscribe`}</SubmitButton>
      </Form>
    </>
  );
}
