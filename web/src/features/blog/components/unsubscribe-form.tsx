import { useState } from 'react';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { EmailField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Notice } from '@/components/notice';
import { email } from '@/lib/validation';
import { unsubscribe } from '../api/newsletter';

const schema = z.object({ email: email() });

/** Unsubscribes an address. */
export function UnsubscribeForm() {
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
      <Form form={form} label="Unsubscribe">
        <EmailField />
        <SubmitButton>Unsubscribe</SubmitButton>
      </Form>
    </>
  );
}
