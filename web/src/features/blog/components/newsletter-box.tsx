import { useState } from 'react';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { CheckboxField } from '@/components/form/checkbox-field';
import { Form, SubmitButton } from '@/components/form/form';
import { EmailField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Notice } from '@/components/notice';
import { consent } from '@/content/consent';
import { email } from '@/lib/validation';
import { subscribe } from '../api/newsletter';

const schema = z.object({ email: email(), consent: z.boolean().check(z.refine((given) => given, 'Please tick the box, else we may not write to you')) });

/** The newsletter sign-up, stored with the consent given for it. */
export function NewsletterBox() {
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
    <section className="newsletter" aria-labelledby="newsletter">
      <div className="stack-sm">
        <h2 id="newsletter">The newsletter</h2>
        <p className="text-muted">One useful text about franchising in India, at most twice a month. No advertising for others.</p>
        <p className="text-muted text-sm">
          What we do with your address stands in the <Link to="/privacy">privacy policy</Link>. <Link to="/unsubscribe">Unsubscribe</Link>
        </p>
      </div>
      <div className="stack-sm">
        {thanks && (
          <Notice tone="success" live>
            {thanks}
          </Notice>
        )}
        <Form form={form} label="Newsletter">
          <EmailField />
          <CheckboxField name="consent" label={consent.newsletter} />
          <SubmitButton>Subscribe</SubmitButton>
        </Form>
      </div>
    </section>
  );
}
