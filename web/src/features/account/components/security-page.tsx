import { Breadcrumb } from '@/components/breadcrumb';
import { PageTitle } from '@/components/page-title';
import { ContactSettings } from './contact-settings';
import { DataSettings } from './data-settings';
import { SessionList } from './session-list';
import { SettingsSection } from './settings-section';
import { StaffAccess } from './staff-access';
import { TotpSettings } from './totp-settings';
import './account.scss';

/** How a person signs in and from where, and what becomes of the person's data. */
export function SecurityPage() {
  return (
    <div className="container page account">
      <Breadcrumb items={[{ label: 'Account', to: '/account' }, { label: 'Security' }]} />
      <div className="mt-3">
        <PageTitle title="Security" intro="How you sign in, from where, and what we keep about you.">
          Security
        </PageTitle>
      </div>
      <div className="settings">
        <SettingsSection
          title="Sign-in details"
          intro="You log in with your mobile number. It and your email are where we reach you."
        >
          <ContactSettings />
        </SettingsSection>
        <SettingsSection
          title="Two-step login"
          intro="A code from your phone besides the password, so that a stolen password alone opens nothing."
        >
          <TotpSettings />
        </SettingsSection>
        <SettingsSection title="Where you are signed in" intro="End what you do not know, then set a new password.">
          <SessionList />
        </SettingsSection>
        <SettingsSection
          title="Who of our staff looked"
          intro="Every time somebody of our support opened your account or did something with it."
        >
          <StaffAccess />
        </SettingsSection>
        <SettingsSection title="Your data" intro="It is yours: take a copy, or leave and have it erased.">
          <DataSettings />
        </SettingsSection>
      </div>
    </div>
  );
}
