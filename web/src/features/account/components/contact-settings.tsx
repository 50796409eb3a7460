import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { Async } from '@/ui/states';
import { formatMobile } from '@/lib/format';
import { profileQuery } from '@/domain/email-proof/api/profile';
import { EmailState } from './email-state';
import { SettingsRow } from './settings-section';

const MobileDialog = latePart(async () => (await import('./dialogs')).MobileDialog);
const EmailDialog = latePart(async () => (await import('./dialogs')).EmailDialog);

type Open = 'mobile' | 'email' | null;

/** The mobile and e-mail used for signing in and contact, each changed in a two-step dialog. */
export function ContactSettings() {
  const profile = useQuery(profileQuery);
  const [open, setOpen] = useState<Open>(null);
  if (profile.data === undefined) return <Async query={profile} what={t`your sign-in details`} lines={8} toasted />;

  const { mobile, email, email_state: emailState } = profile.data;
  const handleClose = () => setOpen(null);
  return (
    <>
      <SettingsRow
        title={t`Mobile number`}
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen('mobile')}>
            <Trans>
              Change<span className="visually-hidden"> mobile number</span>
            </Trans>
          </Button>
        }
      >
        <p className="tabular">{formatMobile(mobile)}</p>
      </SettingsRow>
      <SettingsRow
        title={t`Email`}
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen('email')}>
            <Trans>
              Change<span className="visually-hidden"> email</span>
            </Trans>
          </Button>
        }
      >
        <p className="text-break">{email}</p>
        <EmailState key={email} state={emailState} />
      </SettingsRow>
      <SettingsRow
        title={t`Password`}
        action={<ButtonLink to="/forgot-password" variant="outline" size="sm">{t`Set a new password`}</ButtonLink>}
      >
        <p>{t`We send a code by SMS. You are then logged out everywhere.`}</p>
      </SettingsRow>
      <MobileDialog open={open === 'mobile'} onClose={handleClose} />
      <EmailDialog open={open === 'email'} onClose={handleClose} mobile={mobile} />
    </>
  );
}
