import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '@/components/button';
import { onDemand } from '@/start/page/on-demand';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { formatMobile } from '@/lib/format';
import { profileQuery } from '../api/profile';
import { EmailState } from './email-state';
import { SettingsRow } from './settings-section';

const MobileDialog = onDemand(async () => (await import('./dialogs')).MobileDialog);
const EmailDialog = onDemand(async () => (await import('./dialogs')).EmailDialog);

type Open = 'mobile' | 'email' | null;

/** The mobile and e-mail used for signing in and contact, each changed in a two-step dialog. */
export function ContactSettings() {
  const profile = useQuery(profileQuery);
  const [open, setOpen] = useState<Open>(null);
  if (profile.isPending) {
    return (
      <Loading what="your sign-in details" onRetry={() => void profile.refetch()}>
        <Skeleton lines={8} />
      </Loading>
    );
  }
  if (profile.isError)
    return <ErrorState error={profile.error} what="your sign-in details" onRetry={() => void profile.refetch()} />;

  const { mobile, email, email_state: emailState } = profile.data;
  const handleClose = () => setOpen(null);
  return (
    <>
      <SettingsRow
        title="Mobile number"
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen('mobile')}>
            Change<span className="visually-hidden"> mobile number</span>
          </Button>
        }
      >
        <p className="tabular">{formatMobile(mobile)}</p>
      </SettingsRow>
      <SettingsRow
        title="Email"
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen('email')}>
            Change<span className="visually-hidden"> email</span>
          </Button>
        }
      >
        <p className="text-break">{email}</p>
        <EmailState key={email} state={emailState} />
      </SettingsRow>
      <SettingsRow
        title="Password"
        action={
          <ButtonLink to="/forgot-password" variant="outline" size="sm">
            Set a new password
          </ButtonLink>
        }
      >
        <p>We send a code by SMS. You are then logged out everywhere.</p>
      </SettingsRow>
      <MobileDialog open={open === 'mobile'} onClose={handleClose} />
      <EmailDialog open={open === 'email'} onClose={handleClose} mobile={mobile} />
    </>
  );
}
