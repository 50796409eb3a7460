import type { RouteObject } from 'react-router';
import { guard } from './guard';
import { page } from './page';
import { screen } from './screen';

/** Sign-up, login and the start of a recovery. They are prerendered, and their forms need the query client. */
export const doorRoutes: RouteObject[] = [
  page(
    'login',
    'auth/components/login-page',
    async () => (await import('@/features/auth/components/login-page')).LoginPage,
  ),
  page(
    'sign-up',
    'auth/components/sign-up-page',
    async () => (await import('@/features/auth/components/sign-up-page')).SignUpPage,
  ),
  page(
    'start-free-trial',
    'auth/components/sign-up-page',
    async () => (await import('@/features/auth/components/sign-up-page')).FreeTrialPage,
  ),
  page(
    'forgot-password',
    'auth/components/forgot-password-page',
    async () => (await import('@/features/auth/components/forgot-password-page')).ForgotPasswordPage,
  ),
];

/** The code of a sign-up, recovery, payment preference, store details, address and welcome. */
export const onboardingRoutes: RouteObject[] = [
  screen('otp', () => import('@/features/auth/components/otp-page'), 'OtpPage'),
  screen(
    'forgot-password-otp',
    () => import('@/features/auth/components/forgot-password-otp-page'),
    'ForgotPasswordOtpPage',
  ),
  screen('reset-password', () => import('@/features/auth/components/reset-password-page'), 'ResetPasswordPage'),
  screen('payment', () => import('@/features/payment-preference/components/payment-page'), 'PaymentPage'),
  {
    path: 'store-details',
    lazy: guard('RequireAuth'),
    children: [
      {
        lazy: guard('RequireOwner'),
        children: [
          {
            index: true,
            lazy: async () => ({ Component: (await import('@/features/onboarding/components/store-page')).StorePage }),
          },
          screen('address', () => import('@/features/onboarding/components/address-page'), 'AddressPage'),
          screen('my-store', () => import('@/features/onboarding/components/my-store-page'), 'MyStorePage'),
        ],
      },
    ],
  },
];
