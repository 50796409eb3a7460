import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { SetupChecklist } from '@/domain/setup/setup-checklist';
import { Async } from '@/ui/states';
import { useSession } from '@/lib/session/session';
import { setupQuery } from '../api/setup';
import { OnboardingFrame } from './onboarding-frame';

/** Welcome to the new store: the completed steps, the remaining steps, and a link to the dashboard. */
export function MyStorePage() {
  const { hasStoreDetails, storeName } = useSession();
  const setup = useQuery({ ...setupQuery, enabled: hasStoreDetails });
  if (!hasStoreDetails) return <Navigate to="/store-details" replace />;
  return (
    <OnboardingFrame
      title={t`Welcome, ${storeName}!`}
      pageName={t`Welcome`}
      intro={t`Your store is live. Here is what is left to set up; nothing has to be done today.`}
    >
      <LeavingNotice />
      <Async query={setup} what={t`your set-up`} lines={8} />
      {setup.isSuccess && <SetupChecklist subscription={setup.data.subscription} tenant={setup.data.tenant} />}
      {!setup.isPending && (
        <div className="form-actions">
          <ButtonLink to="/dashboard" size="lg">{t`Dashboard`}</ButtonLink>
        </div>
      )}
    </OnboardingFrame>
  );
}
