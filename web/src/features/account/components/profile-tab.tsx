import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { EmailField, MobileField, NameField } from '@/ui/form/text-field';
import { UnsavedChanges } from '@/ui/form/unsaved-changes';
import { useAppForm } from '@/ui/form/use-app-form';
import { LanguageSwitch } from '@/ui/language-switch';
import { Async } from '@/ui/states';
import type { components } from '@/lib/api/schema.gen';
import { language } from '@/lib/language';
import { languages } from '@/lib/languages';
import { toast } from '@/lib/toast';
import { characters, firstName, lastName, WHOLE_NAME } from '@/lib/validation';
import { profileQuery } from '@/domain/email-proof/api/profile';
import { useUpdateProfile } from '../api/update-profile';
import { DocumentLanguage } from './document-language';
import { Saved } from './saved';

type Profile = components['schemas']['Profile'];

const schema = z
  .object({
    first_name: firstName(),
    last_name: lastName(),
    mobile: z.string(),
    email: z.string(),
  })
  .check(
    z.refine(({ first_name, last_name }) => characters(first_name) + characters(last_name) >= 2, {
      path: ['first_name'],
      error: WHOLE_NAME,
    }),
  );
const inputOf = ({ first_name, last_name, mobile, email }: Profile) => ({ first_name, last_name, mobile, email });
const draft = { key: 'profile', omit: ['mobile', 'email'] } as const;

/** The person's name; mobile and e-mail are read-only here and changed elsewhere. */
export function ProfileTab() {
  // Another tab may change it.
  const profile = useQuery({ ...profileQuery, refetchOnWindowFocus: 'always' });
  if (profile.data === undefined) return <Async query={profile} what={t`your profile`} lines={8} toasted />;
  return (
    <>
      <ProfileForm profile={profile.data} />
      <p className="language-choice">
        {t`Language of the site and of our messages`}: <b>{languages[language].name}</b> <LanguageSwitch />
      </p>
      <DocumentLanguage chosen={profile.data.document_language} />
    </>
  );
}

function ProfileForm({ profile }: { profile: Profile }) {
  const update = useUpdateProfile();
  const [outcome, setOutcome] = useState('');
  const form = useAppForm({
    schema,
    defaultValues: inputOf(profile),
    fromQuery: true,
    draft,
    onSubmit: async ({ first_name, last_name }) => {
      setOutcome('');
      if (first_name === profile.first_name && last_name === profile.last_name) {
        setOutcome(t`Nothing was changed, so there was nothing to save.`);
        return;
      }
      const { data, message } = await update.mutateAsync({ first_name, last_name });
      form.methods.reset(inputOf(data));
      setOutcome('');
      toast.success(message);
    },
  });
  return (
    <Form form={form} label={t`Profile`}>
      <div className="form-row">
        <NameField name="first_name" label={t`First Name`} autoComplete="given-name" />
        <NameField name="last_name" label={t`Last Name`} autoComplete="family-name" optional />
      </div>
      <div className="form-row">
        <MobileField hint={<ChangeIt />} readOnly />
        <EmailField hint={<EmailHint state={profile.email_state} />} readOnly />
      </div>
      <div className="form-actions">
        <SubmitButton size="lg">{t`Save`}</SubmitButton>
        <Saved outcome={outcome} />
      </div>
      <UnsavedChanges draftKey={draft.key} />
    </Form>
  );
}

const stateHints = {
  off: '',
  proved: t`Confirmed.`,
  unproved: t`Not confirmed yet.`,
  refused: t`Our e-mails are rejected.`,
} as const;

/** Whether the address is confirmed, and where it is changed. */
function EmailHint({ state }: { state: Profile['email_state'] }) {
  return (
    <>
      {stateHints[state]} <ChangeIt />
    </>
  );
}

function ChangeIt() {
  return (
    <>
      <Trans>
        Change it under <Link to="/account/security">Security</Link>.
      </Trans>
    </>
  );
}
