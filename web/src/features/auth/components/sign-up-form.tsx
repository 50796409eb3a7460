import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { latePart } from '@/start/page/late';
import { Button } from '@/ui/button';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { EmailField, MobileField, NameField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { toApiError } from '@/lib/api/errors';
import { formatMobile } from '@/lib/format';
import { language } from '@/lib/language';
import { DEFAULT_LANGUAGE, languages } from '@/lib/languages';
import { reloadPage } from '@/lib/reload';
import { toast } from '@/lib/toast';
import { email, mobile, holdsOwn, password, PASSWORD_OWN, personName, terms } from '@/lib/validation';
import { useStartRegistration } from '../api/start-registration';
import { codeSent, codeUsedElsewhereAtom, SIGN_UP_DRAFT, signUpPasswordAtom, usePendingCode } from '../state';

// The dialog is not needed before the form is sent, so it is loaded in parallel with the request.
const loadDialog = () => import('./sign-up-dialog');
const SignUpDialog = latePart(async () => (await loadDialog()).SignUpDialog);
/** Whether it could be loaded. A browser does not fetch a script again that it could not fetch once, as while offline. */
const dialogLoads = () =>
  loadDialog().then(
    () => true,
    () => false,
  );

const fields = z.object({ email: email(), password: password(), mobile: mobile(), terms: terms() });

interface Own {
  email: string;
  password: string;
  mobile: string;
  first_name: string;
}

function notOwn<T extends z.ZodMiniType<Own, Own>>(schema: T) {
  return schema.check(
    z.refine(
      ({ password: chosen, mobile: number, email: address, first_name: name }: Own) =>
        !holdsOwn(chosen, [number, address, name]),
      { path: ['password'], error: PASSWORD_OWN },
    ),
  );
}

// The plain sign-up has no name field, so its schema accepts an empty one.
const schemas = {
  'sign-up': notOwn(z.extend(fields, { first_name: z.string() })),
  'free-trial': notOwn(z.extend(fields, { first_name: personName() })),
};
const empty = { first_name: '', email: '', password: '', mobile: '', terms: false };
const draft = { key: SIGN_UP_DRAFT, omit: ['password', 'terms'], untilForgotten: true } as const;

/** Shown when the form is submitted again before another code may be sent. */
const CODE_SENT_BEFORE = t`A code is already on its way to this number. It confirms the details that you entered first.`;

export interface SignUpFormProps {
  purpose: 'sign-up' | 'free-trial';
  submitLabel: string;
  /** The parent screen continues once the account exists, so the form does not navigate. */
  staysHere?: boolean;
}

/** Which language the account's messages and documents will have, on a page in another language than English. */
function LanguageHint() {
  const { name } = languages[language];
  if (language === DEFAULT_LANGUAGE) return null;
  return (
    <p className="field-hint">
      {t`Your messages will be in ${name}, your invoices and other documents in English and ${name}. You can change this in your profile.`}
    </p>
  );
}

/** The form of both sign-ups, and the dialog for the code it sends. */
export function SignUpForm({ purpose, submitLabel, staysHere }: SignUpFormProps) {
  const [pending, setPending] = usePendingCode();
  const usedElsewhere = useAtomValue(codeUsedElsewhereAtom);
  const keepPassword = useSetAtom(signUpPasswordAtom);
  const start = useStartRegistration();
  const [note, setNote] = useState('');
  const form = useAppForm({
    schema: schemas[purpose],
    defaultValues: empty,
    draft,
    onSubmit: async (values) => {
      const own = purpose === 'free-trial' ? ({ first_name: values.first_name, free_trial: 1 } as const) : {};
      const dialog = dialogLoads();
      try {
        const { data, message } = await start.mutateAsync({
          mobile: values.mobile,
          email: values.email,
          password: values.password,
          ...own,
        });
        keepPassword(values.password);
        setNote('');
        const loaded = await dialog;
        setPending(codeSent(purpose, values.mobile, 'resend_after' in data ? data.resend_after : 0));
        toast.success(message);
        if (!loaded) reloadPage();
      } catch (error) {
        // Submitted again too soon: the earlier code is still valid, so open the dialog where it is entered.
        if (toApiError(error).status !== 429 || waiting?.mobile !== values.mobile) throw error;
        setPending({ ...waiting, putAside: false });
        setNote(CODE_SENT_BEFORE);
      }
    },
  });
  const waiting = pending?.purpose === purpose ? pending : null;
  const awaited = waiting?.putAside ? null : waiting;
  const [opened, setOpened] = useState(false);
  if (awaited && !opened) setOpened(true);

  return (
    <>
      <Form form={form} label={submitLabel}>
        {purpose === 'free-trial' && <NameField name="first_name" label={t`Name`} autoComplete="given-name" />}
        <EmailField />
        <PasswordField autoComplete="new-password" rules />
        <MobileField hint={t`We send a code to this number to check that it is yours.`} />
        <LanguageHint />
        <CheckboxField name="terms" label={t`I agree to the terms and the privacy policy`}>
          <Trans>
            I agree to the <Link to="/terms">terms &amp; conditions</Link> and the{' '}
            <Link to="/privacy">privacy policy</Link>
          </Trans>
        </CheckboxField>
        <SubmitButton block size="lg">
          {submitLabel}
        </SubmitButton>
      </Form>
      {usedElsewhere && (
        <Notice live>{t`Your code was entered in another tab of this browser. Continue there.`}</Notice>
      )}
      {waiting?.putAside && (
        <Notice live>
          <Trans>
            We have sent a code to {formatMobile(waiting.mobile)}.{' '}
            <Button variant="quiet" size="sm" onClick={() => setPending({ ...waiting, putAside: false })}>
              Enter the code
            </Button>
          </Trans>
        </Notice>
      )}
      {opened && (
        <SignUpDialog
          pending={awaited}
          staysHere={staysHere}
          note={note}
          onChange={() => setPending(waiting && { ...waiting, putAside: true })}
        />
      )}
    </>
  );
}
