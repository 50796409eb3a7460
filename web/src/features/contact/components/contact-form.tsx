import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { CheckboxField } from '@/components/form/checkbox-field';
import { Form, SubmitButton } from '@/components/form/form';
import { SelectField } from '@/components/form/select-field';
import { TextAreaField } from '@/components/form/text-area-field';
import { EmailField, MobileField, NameField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { consent } from '@/content/consent';
import { mobileDigits } from '@/lib/typed';
import { choice, email, personName, text } from '@/lib/validation';
import { sendContactRequest, type ContactTopic } from '../api/contact';

/** The server's response to a delivered message. */
export interface Sent {
  message: string;
  reference: string;
}

const topics: { id: ContactTopic; name: string }[] = [
  { id: 'sales', name: t`Plans and prices` },
  { id: 'support', name: t`Help with my account` },
  { id: 'billing', name: t`Payments and invoices` },
  { id: 'partnership', name: t`Find a host, or be one` },
  { id: 'other', name: t`Something else` },
];

/** The longest message the server accepts. */
const LONGEST = 2000;

const schema = z.object({
  name: personName(),
  email: email(),
  mobile: text(t`Mobile number`, [[(value) => /^[6-9]\d{9}$/.test(value), t`Please enter valid number`]], {
    optional: true,
    normalise: mobileDigits,
  }),
  topic: choice(),
  message: text(t`Message`, [
    [(value) => value.length >= 10, t`Please write at least 10 characters`],
    [(value) => value.length <= LONGEST, t`Please keep it under ${LONGEST} characters`],
  ]),
  consent: z.boolean().check(z.refine((given) => given, t`Tick the box so that we can reply`)),
});

function isTopic(value: string | null): value is ContactTopic {
  return topics.some(({ id }) => id === value);
}

/** The contact form; its input survives a reload. */
export function ContactForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const [search] = useSearchParams();
  const asked = search.get('topic');
  const form = useAppForm({
    schema,
    defaultValues: { name: '', email: '', mobile: '', topic: '', message: '', consent: false },
    draft: { key: 'contact', omit: ['consent', 'topic'] },
    onSubmit: async ({ name, email: address, mobile, topic, message }, signal) => {
      const answer = await sendContactRequest(
        { name, email: address, mobile, topic: isTopic(topic) ? topic : 'other', message },
        signal,
      );
      onSent({ message: answer.message, reference: answer.data.reference });
    },
  });
  const { setValue } = form.methods;
  useEffect(() => {
    if (isTopic(asked)) setValue('topic', asked);
  }, [asked, setValue]);
  return (
    <Form form={form} label={t`Contact`}>
      <NameField name="name" label={t`Name`} autoComplete="name" />
      <EmailField />
      <MobileField label={t`Mobile number (optional)`} hint={t`Only if you would rather be called.`} />
      <SelectField name="topic" label={t`What is it about?`} options={topics} />
      <TextAreaField name="message" label={t`Message`} hint={t`10 to ${LONGEST} characters.`} />
      <CheckboxField name="consent" label={consent.contact} />
      <SubmitButton size="lg">{t`Send message`}</SubmitButton>
    </Form>
  );
}
