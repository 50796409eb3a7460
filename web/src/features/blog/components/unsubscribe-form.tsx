import { t } from '@lingui/core/macro';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { EmailField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { useLinkToken } from '@/lib/link-token';
import { email } from '@/lib/validation';
import { leaveNewsletter, unsubscribe } from '../api/newsletter';
import { NewsletterLink } from './newsletter-link';

const schema = z.object({ email: email() });

/** Unsubscribes with the link from an issue, or requests such a link. */
export function UnsubscribeForm() {
  const token = useLinkToken();
  if (token === undefined) return null;
  return token ? (
    <NewsletterLink token={token} label={t`Leave the newsletter`} act={leaveNewsletter} />
  ) : (
    <AskForLink />
  );
}

function AskForLink() {
  const [done, setDone] = useState('');
  const form = useAppForm({
    schema,
    defaultValues: { email: '' },
    onSubmit: async (values, signal) => {
      const { message } = await unsubscribe(values.email, signal);
      setDone(message);
      form.methods.reset();
    },
  });
  return (
    <>
      {done && (
        <Notice tone="success" live>
          {done}
        </Notice>
      )}
      <Form form={form} label={t`Unsubscribe`}>
        <EmailField />
        <SubmitButton>{t`Send the link`}</SubmitButton>
      </Form>
    </>
  );
}
