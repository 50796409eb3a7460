import { waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import {
  nextBill,
  orderRow,
  pageOf,
  paymentRow,
  paymentState,
  preview,
  taxDocument,
} from '@/testing/payment-factories';
import { kept, profile, thisDevice } from '@/testing/security';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import {
  delivery,
  ids,
  ownedAddOn,
  planDetails,
  subscription,
  tenant,
  transactionId,
} from '@/testing/subscription-factories';

interface Screen {
  path: string;
  at?: string;
  load: () => Promise<ComponentType>;
  answers: () => void;
  /** A text of the page that shows last. */
  shows: string;
  /** Single words of English that it must not say; sentences are found anyhow. */
  lacks?: RegExp;
}

/** A user who has not yet decided may consent in the page's language. */
const neverAsked = {
  enabled: false,
  language: 'en' as const,
  version: 1,
  texts: { en: 'Receipts by WhatsApp', hi: 'रसीदें WhatsApp पर' },
};
const ravi = {
  id: ids.service,
  name: 'रवि राव',
  mobile: '9123456789',
  role: 'accountant' as const,
  state: 'active' as const,
  invited_at: '2026-11-21T05:30:00Z',
  accepted_at: '2026-11-21T06:30:00Z',
  last_seen_at: null,
  invitation: null,
};
const nothingRuns = { add_ons_services: [], held_payments: [], confirming_payments: [] };
const running = () => {
  answer('get', '/subscription/dashboard', {
    ...nothingRuns,
    subscription: subscription({
      notice: 'आपका प्लान 21 नवंबर 2027 को बदलेगा।',
      plan_features: [{ features: 'Custom domain', desc: '' }],
    }),
    tenant: tenant(),
    add_ons_services: [ownedAddOn()],
  });
  answer('get', '/deliveries', {
    deliveries: [
      delivery({ name: 'Custom domain', state: 'waiting_for_customer', needs: 'Link your domain.' }),
      delivery({ name: 'Priority support', late: true }),
      delivery({ name: 'E-mail support', state: 'delivered', proof_link: '/contact' }),
    ],
  });
  answer('get', '/subscription/renewals', nextBill());
  answer('get', '/subscription/list', [orderRow()], 'Orders.', pageOf(1));
  answer('get', '/subscription/payments/list', [paymentRow({ refund_state: 'partly' })], 'Payments.', pageOf(1));
};
const result = (change: Parameters<typeof paymentState>[0]) => () =>
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState(change));

const screens: Record<string, Screen> = {
  dashboard: {
    path: 'dashboard',
    load: async () => (await import('@/features/dashboard/components/dashboard-page')).DashboardPage,
    answers: running,
    shows: 'आपका अगला बिल',
  },
  orders: {
    path: 'subscription_list',
    load: async () => (await import('@/features/billing/components/billing-page')).BillingPage,
    answers: running,
    shows: 'ऑर्डर',
  },
  payments: {
    path: 'subscription_list',
    at: '/subscription_list?tab=payments',
    load: async () => (await import('@/features/billing/components/billing-page')).BillingPage,
    answers: running,
    shows: 'गेटवे शुल्क',
  },
  'plan choice': {
    path: 'plan/:keyA/:keyB/:keyC',
    at: `/plan/start-up/annual/${ids.plan}`,
    load: async () => (await import('@/features/plan-choice/components/plan-choice-page')).PlanChoicePage,
    answers: () => {
      answer('get', '/subscription-plan/details/{id}', [planDetails()]);
      answer('post', '/subscription-plan/quote', preview());
      answer('post', '/subscription/payments/details', preview());
    },
    shows: 'अपनी सर्विस चुनें',
  },
  'paid order': {
    path: 'checkout/result/success',
    at: `/checkout/result/success?transaction_id=${transactionId}`,
    load: async () => (await import('@/features/checkout/components/result-page')).ResultPage,
    answers: result({ documents: [taxDocument()] }),
    shows: 'बधाई हो!',
  },
  'failed order': {
    path: 'checkout/result/failed',
    at: `/checkout/result/failed?transaction_id=${transactionId}`,
    load: async () => (await import('@/features/checkout/components/result-page')).ResultPage,
    answers: result({
      state: 'failed',
      charged: 'not_charged',
      reason: 'The payment did not go through.',
      captured: null,
    }),
    shows: 'भुगतान नहीं हो सका।',
  },
  'nothing to hand over': {
    path: 'checkout/pay',
    load: async () => (await import('@/features/checkout/components/hand-off-page')).HandOffPage,
    answers: () => undefined,
    shows: 'कोई भुगतान बाकी नहीं है',
  },
  'pay link': {
    path: 'p/:code',
    at: '/p/AaIKITSlfNCW0nR50UGl9KVFCWZ1gM4Ry0UB_Q',
    load: async () => (await import('@/features/pay-link/components/pay-link-page')).PayLinkPage,
    answers: () => answer('get', '/pay-links/{code}', { state: 'confirming', returned: 'none', renewal: null }),
    shows: 'हम भुगतान की पुष्टि कर रहे हैं।',
  },
  'stop a change': {
    path: 'stop/:code',
    at: '/stop/AaIKITSlfNCW0nR50UGl9KVFCWZ1gM4Ry0UB_Q',
    load: async () => (await import('@/features/stop-change/components/stop-change-page')).StopChangePage,
    answers: () =>
      answer('get', '/mobile-changes/{code}', { state: 'waiting', ending: '3210', due_at: '2026-11-22T05:30:00Z' }),
    shows: 'यह बदलाव रोकें',
  },
  notifications: {
    path: 'notifications',
    load: async () => (await import('@/features/notifications/components/notifications-page')).NotificationsPage,
    answers: () => answer('get', '/notifications', { notifications: [], next: null, newest: null }),
    shows: 'अभी कुछ नहीं है।',
  },
  team: {
    path: 'account/team',
    load: async () => (await import('@/features/team/components/team-page')).TeamPage,
    answers: () =>
      answer('get', '/team', { members: [ravi, { ...ravi, id: ids.plan, role: 'manager' }], activity: [] }),
    shows: 'मैनेजर बनाएँ',
    lacks: /manager|accountant/i,
  },
  profile: {
    path: 'account',
    load: async () => (await import('@/features/account/components/account-page')).AccountPage,
    answers: () => answer('get', '/profile/details/profile', profile),
    shows: 'उपनाम',
  },
  security: {
    path: 'account/security',
    load: async () => (await import('@/features/account/components/security-page')).SecurityPage,
    answers: () => {
      answer('get', '/profile/sessions', [
        { ...thisDevice, device: 'Linux पर Chrome' },
        { ...thisDevice, id: ids.plan, current: false, device: 'कोई ब्राउज़र' },
      ]);
      answer('get', '/profile/details/profile', profile);
      answer('get', '/profile/erasure', {
        state: 'none',
        requested_at: null,
        erase_on: null,
        delay_days: 7,
        kept,
        owed: null,
      });
      answer('get', '/message-preferences', { reminders_sms: true, reminders_email: true, whatsapp: neverAsked });
      answer('get', '/profile/staff-access', { open: [], entries: [], total: 0 });
      answer('get', '/session', signedIn());
    },
    shows: 'यह डिवाइस',
    lacks: /\b(Off|by WhatsApp)\b/,
  },
  'payment preference': {
    path: 'payment',
    load: async () => (await import('@/features/payment-preference/components/payment-page')).PaymentPage,
    answers: () => undefined,
    shows: 'आप भुगतान कैसे करना चाहेंगे?',
  },
};

/** Three consecutive English words: probably an untranslated sentence. */
const ENGLISH = /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/;

test.each(Object.entries(screens))('the screen of %s speaks Hindi and breaks no rule', async (_name, screen) => {
  const { path, at, load, answers, shows, lacks } = screen;
  startSession(franchiserUser({ is_active: true, has_store_details: true, store_name: 'Asha Sweets' }));
  answers();
  const Page = await load();
  const { container } = renderRoutes([{ path, element: <Page /> }], { at });
  await waitFor(() => expect(container).toHaveTextContent(shows));
  await waitFor(() => expect(container.querySelector('[class*=skeleton]')).toBeNull());
  expect(ENGLISH.exec(container.textContent)?.[0]).toBeUndefined();
  if (lacks) expect(lacks.exec(container.textContent)?.[0]).toBeUndefined();
  expect(await accessibilityFaults(container)).toEqual([]);
});
