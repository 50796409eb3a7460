import { t } from '@lingui/core/macro';
/** The steps from sign-up to the store for people who have not chosen a plan yet. */
export const onboardingSteps = [t`Account`, t`Address`, t`Plan`, t`Store`];
