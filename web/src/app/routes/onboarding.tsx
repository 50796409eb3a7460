import type { RouteObject } from 'react-router';
import { guard } from './guard';

/** Sign-up, login, recovery, payment preference, store details, address and welcome. */
export const onboardingRoutes: RouteObject[] = [
  {
    path: 'login',
    lazy: async () => ({ Component: (await import('@/features/auth/components/login-page')).LoginPage }),
  },
  {
    path: 'sign-up',
    lazy: async () => ({ Component: (await import('@/features/auth/components/sign-up-page')).SignUpPage }),
  },
  {
    path: 'start-free-trial',
    lazy: async () => ({ Component: (await import('@/features/auth/components/sign-up-page')).FreeTrialPage }),
  },
  { path: 'otp', lazy: async () => ({ Component: (await import('@/features/auth/components/otp-page')).OtpPage }) },
  {
    path: 'forgot-password',
    lazy: async () => ({
      Component: (await import('@/features/auth/components/forgot-password-page')).ForgotPasswordPage,
    }),
  },
  {
    path: 'forgot-password-otp',
    lazy: async () => ({
      Component: (await import('@/features/auth/components/forgot-password-otp-page')).ForgotPasswordOtpPage,
    }),
  },
  {
    path: 'reset-password',
    lazy: async () => ({
      Component: (await import('@/features/auth/components/reset-password-page')).ResetPasswordPage,
    }),
  },
  {
    path: 'payment',
    lazy: async () => ({
      Component: (await import('@/features/payment-preference/components/payment-page')).PaymentPage,
    }),
  },
  {
    path: 'store-details',
    lazy: guard('RequireAuth'),
    children: [
      {
        index: true,
        lazy: async () => ({ Component: (await import('@/features/onboarding/components/store-page')).StorePage }),
      },
      {
        path: 'address',
        lazy: async () => ({ Component: (await import('@/features/onboarding/components/address-page')).AddressPage }),
      },
      {
        path: 'my-store',
        lazy: async () => ({ Component: (await import('@/features/onboarding/components/my-store-page')).MyStorePage }),
      },
    ],
  },
];
