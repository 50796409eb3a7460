import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import * as z from 'zod/mini';
import { BusinessTypeField } from '@/domain/business-type-field';
import { ButtonLink } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { MobileField, TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { PlanEndedNotice, RenewalNotice } from '@/domain/payment/renewal-notice';
import { UnlessPaying } from '@/domain/payment/unless-paying';
import { Loading, Skeleton } from '@/ui/states';
import { Steps } from '@/ui/steps';
import { sessionQuery } from '@/lib/session/session-query';
import { planRuns, useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { choice, password, storeName } from '@/lib/validation';
import { useCreateStore } from '../api/create-store';
import { onboardingSteps } from '../steps';
import { OnboardingFrame } from './onboarding-frame';

const schema = z.object({
  store_username: z.string(),
  store_name: storeName(),
  store_type: choice(),
  store_password: password(t`Store password`),
});

/** The store's details, requested while a plan is active; otherwise redirects to the plans. */
export function StorePage() {
  const known = useSession();
  // A plan may have become active since this browser last fetched the session.
  const asked = useQuery({ ...sessionQuery, enabled: !planRuns(known), staleTime: 0 });
  const { hasStoreDetails, storeName: name, eraseOn } = known;
  const ready = planRuns(known);
  if (hasStoreDetails) return <Navigate to="/store-details/my-store" replace state={{ storeName: name }} />;
  return (
    <OnboardingFrame
      title={t`Set up your store`}
      pageName={t`Store details`}
      intro={t`With these details you and your team sign in to your franchise dashboard.`}
      steps={<Steps steps={onboardingSteps} now={ready ? t`Store` : t`Plan`} />}
    >
      <LeavingNotice />
      {ready && <RenewalNotice />}
      {ready && <StoreForm />}
      {!ready && asked.isFetching && (
        <Loading what={t`your plan`}>
          <Skeleton lines={8} />
        </Loading>
      )}
      {!ready && !asked.isFetching && !eraseOn && (
        <UnlessPaying>
          <Notice tone="warning" live>{t`Kindly choose a plan before filling in the store details`}</Notice>
          <RenewalNotice />
          <PlanEndedNotice />
          <div className="form-actions">
            <ButtonLink to="/pricing">{t`Explore Our Plans`}</ButtonLink>
          </div>
        </UnlessPaying>
      )}
    </OnboardingFrame>
  );
}

function StoreForm() {
  const { user } = useSession();
  const create = useCreateStore();
  const client = useQueryClient();
  const form = useAppForm({
    schema,
    defaultValues: { store_username: user?.mobile ?? '', store_name: '', store_type: '', store_password: '' },
    draft: { key: 'store', omit: ['store_password', 'store_username'] },
    onSubmit: async (values) => {
      // After a reload, a fast user can submit the form before the session is loaded.
      const mobile = user?.mobile || (await client.ensureQueryData(sessionQuery))['franchiser-user'].mobile;
      // The session reports the store at once, and the page then redirects; navigating here would pull back a user who has already left.
      const { message } = await create.mutateAsync({ ...values, store_username: mobile });
      toast.success(message);
    },
  });
  const { setValue } = form.methods;
  // After a reload the mobile arrives with the server's response, later than the form is rendered.
  useEffect(() => {
    if (user?.mobile) setValue('store_username', user.mobile);
  }, [user?.mobile, setValue]);
  return (
    <Form form={form} label={t`Store details`}>
      <MobileField
        name="store_username"
        label={t`Store username`}
        hint={t`Your mobile number. It cannot be changed here.`}
        autoComplete="username"
        readOnly
      />
      <TextField
        name="store_name"
        label={t`Store Name`}
        hint={t`English letters, digits and single spaces; it becomes your store’s web address.`}
        autoComplete="organization"
      />
      <BusinessTypeField />
      <PasswordField name="store_password" label={t`Store password`} autoComplete="new-password" rules />
      <div className="form-actions">
        <SubmitButton size="lg">{t`Next`}</SubmitButton>
      </div>
    </Form>
  );
}
