import { t } from '@lingui/core/macro';
import type { components } from './schema.gen';

type FailureCode = components['schemas']['FailureCode'];

/** What the codes of failures mean, for readers of another language than the server's. */
export const failureWords = (): Partial<Record<FailureCode, string>> => ({
  address_required: t`Please enter your business address first.`,
  already_paid: t`This is paid already.`,
  bad_request: t`We did not understand this request. Please load the page again.`,
  below_transfer_minimum: t`This amount is too small for a bank transfer. Please pay online.`,
  body_too_large: t`This is too long. Please shorten it.`,
  code_used: t`This code was used already. Ask for a new one.`,
  conflict: t`This was changed elsewhere in the meantime. Please load the page again.`,
  cross_site: t`This request came from another site. Please load the page again.`,
  domain_taken: t`This domain is linked to another store.`,
  email_proof_invalid: t`This link is no longer valid. Ask for a new one.`,
  erasure_scheduled: t`This account is to be erased. Keep it first, then try again.`,
  expired_code: t`This code has expired. Ask for a new one.`,
  forbidden: t`You may not do this.`,
  gstin_invalid: t`This is no GSTIN: please compare it with your registration certificate`,
  gstin_state_mismatch: t`The GSTIN belongs to another State than the address.`,
  internal: t`Server error! Please try again later.`,
  invalid_credentials: t`The mobile number or the password is wrong.`,
  limit_reached: t`The limit of your plan is reached.`,
  no_tries_left: t`Too many wrong codes. Please try again later.`,
  not_by_transfer: t`This cannot be paid by bank transfer. Please pay online.`,
  not_found: t`Resource not found!`,
  other_mobile: t`This belongs to another mobile number.`,
  otp_expired: t`This code has expired. Ask for a new one.`,
  otp_tries_exhausted: t`Too many wrong codes. Please try again later.`,
  otp_wrong: t`Please enter valid code. Only the newest one that we sent counts.`,
  pay_link_done: t`This is paid already.`,
  pay_link_invalid: t`This link is no longer valid. Ask for a new one.`,
  plan_expired: t`Your plan has ended. Please renew it.`,
  plan_is_current: t`You have this plan already.`,
  plan_needed: t`Please choose a plan first.`,
  plan_required: t`Please choose a plan first.`,
  plan_retired: t`This plan is no longer sold. Please choose another one.`,
  price_changed: t`The price has changed. Please look at it once more.`,
  proforma_closed: t`This proforma is paid or was cancelled.`,
  role_forbidden: t`Your role does not allow this.`,
  store_exists: t`There is a store already.`,
  too_many_requests: t`Too many requests. Please try again later.`,
  totp_required: t`Enter your authenticator code`,
  totp_wrong: t`This code of the authenticator app is wrong.`,
  transfer_not_offered: t`Payment by bank transfer is not offered here.`,
  trial_used: t`The free trial of this number has been used.`,
  unauthorized: t`Unauthorized! Please login again.`,
  unavailable: t`This is not available just now. Please try again in a moment.`,
  validation_failed: t`Please check what you entered.`,
  verification_invalid: t`This verification is used or has expired. Ask for a new code.`,
  wrong_code: t`Please enter valid code`,
  wrong_login: t`The mobile number or the password is wrong.`,
  xsrf_failed: t`This page is out of date. Please load it again.`,
});

/** What the server says when something worked, at the doors and where visitors write to us. */
export const successWords = (): Record<string, string> => ({
  'We have sent a code to your mobile.': t`We have sent a code to your mobile.`,
  'Welcome to Franchise 360.': t`Welcome to Franchise 360.`,
  'Welcome back.': t`Welcome back.`,
  'If this mobile has an account, we have sent a code to it.': t`If this mobile has an account, we have sent a code to it.`,
  'The code is right. Choose a new password.': t`The code is right. Choose a new password.`,
  'Your password is changed. Please log in.': t`Your password is changed. Please log in.`,
  'You are signed out.': t`You are signed out.`,
  'Thank you. You will hear from us.': t`Thank you. You will hear from us.`,
  'You will not hear from us again.': t`You will not hear from us again.`,
  'Thank you. We answer within one working day.': t`Thank you. We answer within one working day.`,
});

// In English the server's own words are shown, and none of these are shipped.
const failures: Record<string, string | undefined> = import.meta.env.LANGUAGE === 'en' ? {} : failureWords();
const successes: Record<string, string | undefined> = import.meta.env.LANGUAGE === 'en' ? {} : successWords();

/** The sentence of a code in this language; without one, what the server says in English. */
export const failureText = (code: string | undefined, english = ''): string => failures[code ?? ''] ?? english;

/** What the server said of a success, in this language where it is known. */
export const successText = (english: string): string => successes[english] ?? english;

/**
 * The messages by field in this language: a failure with a sentence of its own says it at its field too, and what a
 * whole form did wrong was said by the form itself before it was sent.
 */
export function fieldTexts(code: string | undefined, fields: Record<string, string[]>): Record<string, string[]> {
  const text = failures[code ?? ''];
  if (!text) return fields;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, [text]]));
}
