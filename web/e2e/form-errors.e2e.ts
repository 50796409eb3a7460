import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { devices } from './support/devices';
import { press, retype } from './support/keyboard';
import { codeFor, newPerson, register, type Person } from './support/people';
import { at, checkScreen, signIn } from './support/shop';

let page: Page;
/** A user on trial, who can open every step of the onboarding. */
let trial: Person;

beforeAll(async () => {
  trial = newPerson();
  await register(trial, true);
});

interface Case {
  form: string;
  button: string;
  /** The messages of an empty form, in the order of its fields. */
  empty: string[];
  /** Invalid input by label, and the error message of the field. */
  wrong: Record<string, [typed: string, said: string]>;
  path?: string;
  open?: () => Promise<void>;
}

/** Waits for the error summary to be focused. */
async function summary(): Promise<string[]> {
  const box = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
  return box.getByRole('link').allInnerTexts();
}

/** Begins a recovery and stops at its code, or continues to the new password. */
async function recover(untilPassword: boolean) {
  const person = newPerson();
  await register(person);
  await page.goto('/forgot-password');
  await retype(page, 'Mobile number', person.mobile);
  await page.keyboard.press('Enter');
  await at(page, '/forgot-password-otp');
  if (!untilPassword) return;
  await retype(page, 'Verification code', await codeFor(person.mobile, 2));
  await page.keyboard.press('Enter');
  await at(page, '/reset-password');
}

/** Opens a step of the onboarding. */
async function openStep(path: string) {
  await signIn(page, trial);
  await page.goto(path);
}

const short = 'Password needs at least 8 characters';
const account = {
  Email: ['asha@', 'Please enter your valid email id'],
  Password: ['Mango#2', short],
  'Mobile number': ['98765', 'Please enter valid number'],
} satisfies Case['wrong'];
const accountEmpty = [
  'Email can not be empty.',
  'Password can not be empty.',
  'Mobile number can not be empty.',
  'Please agree to terms & conditions',
];
const line = 'Please use at least 2 characters';

const cases: Case[] = [
  {
    form: 'login',
    path: '/login',
    button: 'Login',
    empty: ['Mobile number can not be empty.', 'Password can not be empty.'],
    wrong: { 'Mobile number': account['Mobile number'] },
  },
  { form: 'sign-up', path: '/sign-up', button: 'Sign up', empty: accountEmpty, wrong: account },
  {
    form: 'free trial',
    path: '/start-free-trial',
    button: 'Start free trial',
    empty: ['Name can not be empty.', ...accountEmpty],
    wrong: {
      Name: ['A', line],
      ...account,
      Password: ['mangomango', 'Password must contain at least one upper-case letter'],
    },
  },
  {
    form: 'forgot password',
    path: '/forgot-password',
    button: 'Send code',
    empty: ['Mobile number can not be empty.'],
    wrong: { 'Mobile number': ['1234567890', 'Invalid'] },
  },
  {
    form: 'code',
    open: () => recover(false),
    button: 'Verify',
    empty: ['Code can not be empty.'],
    wrong: { 'Verification code': ['123', 'Please enter a valid code'] },
  },
  {
    form: 'new password',
    open: () => recover(true),
    button: 'Reset password',
    empty: ['New password can not be empty.', 'Confirm password can not be empty.'],
    wrong: {
      'New password': ['Mango#2', short],
      'Confirm password': ['Mango#3', 'Password and confirm password should be the same'],
    },
  },
  {
    form: 'card',
    path: '/payment',
    button: 'Prefer card',
    empty: [
      'Card number can not be empty.',
      'Expiry date can not be empty.',
      'CVV can not be empty.',
      'Name on card can not be empty.',
    ],
    wrong: {
      'Card number': ['4111', '16 digits'],
      'Expiry date': ['0120', 'Invalid expiry date'],
      CVV: ['12', '3 digits'],
      'Name on card': ['A', line],
    },
  },
  {
    form: 'UPI',
    path: '/payment?method=upi',
    button: 'Prefer UPI',
    empty: ['UPI ID can not be empty.'],
    wrong: { 'UPI ID': ['asha', 'Please enter your valid UPI ID'] },
  },
  {
    form: 'netbanking',
    path: '/payment?method=netbanking',
    button: 'Prefer netbanking',
    empty: [
      'Bank account number can not be empty.',
      'Re-entered account number can not be empty.',
      'IFSC code can not be empty.',
      'Account name can not be empty.',
    ],
    wrong: {
      'Bank account number': ['123', '16 digits'],
      'Re-enter account number': ['1234', 'Bank Account number and this should be the same'],
      'IFSC code': ['HDFC123', 'Please enter valid IFSC code'],
      'Account name': ['A', line],
    },
  },
  {
    form: 'store details',
    open: () => openStep('/store-details'),
    button: 'Next',
    empty: ['Store Name can not be empty.', 'Kindly choose one', 'Store password can not be empty.'],
    wrong: { 'Store Name': ['A&B', 'Please input alphanumeric characters only'], 'Store password': ['mango', short] },
  },
  {
    form: 'business address',
    open: () => openStep('/store-details/address'),
    button: 'Save and continue',
    empty: ['Location', 'House number and floor', 'Pincode can not be empty.', 'State', 'City'],
    wrong: {
      'House number and floor': ['# 4', 'Please use letters, digits'],
      'Landmark (optional)': ['Mall # back', 'Please use letters, digits'],
      Pincode: ['012345', 'Invalid'],
      'Name for the invoice (optional)': ['asha@example.in', 'Enter a name for the invoice'],
    },
  },
];

describe.each(devices)('by keyboard alone on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it.each(cases)(
    'the $form form says what is wrong, where, and keeps what was typed',
    async ({ path, open, button, empty, wrong }) => {
      if (path) await page.goto(path);
      else await open?.();
      await press(page, 'button', button);
      const said = await summary();
      expect(said).toHaveLength(empty.length);
      for (const [index, start] of empty.entries()) expect(said[index]).toContain(start);
      await checkScreen(page);

      // The first link of the summary leads to its field.
      const first = page.getByRole('alert').filter({ hasText: 'There is a problem' }).getByRole('link').first();
      await page.keyboard.press('Tab');
      await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');

      for (const [label, [typed]] of Object.entries(wrong)) await retype(page, label, typed);
      await press(page, 'button', button);
      await summary();
      for (const [label, [, message]] of Object.entries(wrong)) {
        const field = page.getByLabel(label, { exact: true });
        const described = await field.evaluate((element) =>
          (element.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.innerText ?? '')
            .join(' '),
        );
        expect(described).toContain(message);
        await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      }
      for (const [label, [typed]] of Object.entries(wrong)) {
        const kept = (await page.getByLabel(label, { exact: true }).inputValue()).replace('/', '');
        expect(kept).toBe(typed);
      }
      await checkScreen(page);
    },
  );
});
