import { t } from '@lingui/core/macro';
import { Breadcrumb } from '@/ui/breadcrumb';
import { PageTitle } from '@/ui/page-title';
import { ContactSettings } from './contact-settings';
import { DataSettings } from './data-settings';
import { ReminderSettings } from './reminder-settings';
import { SessionList } from './session-list';
import { SettingsSection } from './settings-section';
import { StaffAccess } from './staff-access';
import { TotpSettings } from './totp-settings';
import './account.scss';

/** How and where a person signs in, and what happens to their data. */
export function SecurityPage() {
  return (
    <div className="container page account">
      <Breadcrumb items={[{ label: t`Account`, to: '/account' }, { label: t`Security` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Security`}
          intro={t`How you sign in, from where, and what we keep about you.`}
        >{t`Security`}</PageTitle>
      </div>
      <div className="settings">
        <SettingsSection
          title={t`Sign-in details`}
          intro={t`You log in with your mobile number. We send messages to it and to your e-mail address.`}
        >
          <ContactSettings />
        </SettingsSection>
        <SettingsSection
          title={t`Reminders`}
          intro={t`How we remind you before your plan ends. Receipts, documents, refunds and security messages always come.`}
        >
          <ReminderSettings />
        </SettingsSection>
        <SettingsSection
          title={t`Two-step login`}
          intro={t`A code from your phone besides the password, so that a stolen password alone is useless.`}
        >
          <TotpSettings />
        </SettingsSection>
        <SettingsSection
          title={t`Where you are signed in`}
          intro={t`Sign out devices you don't recognise, then set a new password.`}
        >
          <SessionList />
        </SettingsSection>
        <SettingsSection
          title={t`Staff access to your account`}
          intro={t`Each time our support team opened your account or changed something in it.`}
        >
          <StaffAccess />
        </SettingsSection>
        <SettingsSection title={t`Your data`} intro={t`It is yours: take a copy, or leave and have it erased.`}>
          <DataSettings />
        </SettingsSection>
      </div>
    </div>
  );
}
