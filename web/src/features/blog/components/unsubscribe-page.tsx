import { useState } from 'react';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form/form';
import { EmailField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Notice } from '@/components/notice';
import { PageHero } from '@/components/site/page-hero';
import { email } from '@/lib/validation';
import { unsubscribe } from '../api/newsletter';
import '@/styles/blog.scss';

const schema = z.object({ email: email() });

/** The way out of the newsletter, as short as the way in. */
export function UnsubscribePage() {
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
      <PageHero title="Unsubscribe" description="Leave the newsletter of Franchise 360." intro="Give us the address to which the newsletter goes. It is the last thing we do with it." />
      <div className="container narrow-form">
        {done && (
          <Notice tone="success" live>
            {done}
          </Notice>
        )}
        <Form form={form} label="Unsubscribe">
          <EmailField />
          <SubmitButton>Unsubscribe</SubmitButton>
        </Form>
      </div>
    </>
  );
}
