import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { AddressForm } from '@/domain/address-form/address-form';
import { addressQuery } from '@/domain/address-form/api/address';
import { Async } from '@/ui/states';
import { Steps } from '@/ui/steps';
import { RETURN_PARAM, safePath } from '@/lib/session/redirect';
import { planRuns, useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { onboardingSteps } from '../steps';
import { OnboardingFrame } from './onboarding-frame';

/** The business address, required before the first payment because the State decides the tax. */
export function AddressPage() {
  const session = useSession();
  const { franchiserID, hasStoreDetails } = session;
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { objections?: Record<string, string[]> } | null };
  const address = useQuery(addressQuery(franchiserID ?? ''));

  const handleSaved = (_saved: unknown, message: string) => {
    toast.success(message);
    const next = planRuns(session) && !hasStoreDetails ? '/store-details' : '/pricing';
    void navigate(safePath(search.get(RETURN_PARAM)) ?? next);
  };

  return (
    <OnboardingFrame
      title={t`Where is your business?`}
      pageName={t`Business address`}
      intro={t`Your invoices carry this name and address, and its State decides the GST.`}
      steps={<Steps steps={onboardingSteps} now={t`Address`} />}
    >
      <Async query={address} what={t`your address`} lines={8}>
        {(saved) => (
          <AddressForm
            address={saved}
            submitLabel={t`Save and continue`}
            objections={state?.objections}
            onSaved={handleSaved}
          />
        )}
      </Async>
    </OnboardingFrame>
  );
}
