import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { SelectField } from '@/ui/form/select-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { EmailField, MobileField, NameField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { consent } from '@/content/consent';
import { sendContactRequest, type ContactTopic } from '../api/contact';
import { contactSchema, LONGEST } from '../contact-schema';

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

function isTopic(value: string | null): value is ContactTopic {
  return topics.some(({ id }) => id === value);
}

/** The contact form; its input survives a reload. */
export function ContactForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const [search] = useSearchParams();
  const asked = search.get('topic');
  const form = useAppForm({
    schema: contactSchema,
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
