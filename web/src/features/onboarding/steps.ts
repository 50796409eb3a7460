/** The steps from sign-up to the store for people who have not chosen a plan yet. */
export const onboardingSteps = ['Account', 'Address', 'Plan', 'Store'];
