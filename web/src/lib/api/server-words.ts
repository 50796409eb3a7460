import { t } from '@lingui/core/macro';
import type { components } from './schema.gen';

type FailureCode = components['schemas']['FailureCode'];

const transferWords = (): Partial<Record<FailureCode, string>> => ({
  not_by_transfer: t`This cannot be paid by bank transfer. Please pay online.`,
  po_number_printed: t`Part of this was paid under another purchase order number. It cannot be changed any more.`,
  proforma_closed: t`This proforma is paid or was cancelled.`,
  proforma_partly_received: t`Money has arrived for this proforma, or is being booked for it. It cannot be cancelled before that money is free.`,
  told_too_often: t`You have given us several numbers already. Please write to us with the proof of your transfer.`,
  too_many_proformas: t`Five of your proformas wait for a transfer. Pay one of them, or wait until one expires.`,
  transfer_not_offered: t`Payment by bank transfer is not offered here.`,
});

const documentWords = (): Partial<Record<FailureCode, string>> => ({
  address_required: t`Please enter your business address first.`,
  document_not_registered: t`The government’s e-invoice portal has not accepted this document yet, so there is no PDF. We are seeing to it; there is nothing for you to do.`,
  gstin_invalid: t`This is not a valid GSTIN: please check it against your registration certificate`,
  gstin_state_mismatch: t`The GSTIN belongs to another State than the address.`,
  invoice_unavailable: t`There is no invoice for a payment that was not made.`,
  name_required: t`Please enter the name for your invoices first`,
});

const fileWords = (): Partial<Record<FailureCode, string>> => ({
  delivery_files_full: t`There are 10 files already.`,
  file_too_large: t`A file may have at most 5 MB.`,
  too_many_files: t`You have uploaded too many files. Send your message with up to five of them, or try again tomorrow.`,
});

/** What the codes of failures mean, for readers of another language than the server's. */
export const failureWords = (): Partial<Record<FailureCode, string>> => ({
  ...documentWords(),
  ...transferWords(),
  ...fileWords(),
  above_limit: t`Your next bill is above what is debited without your approval. Please pay it manually.`,
  add_on_not_renewed: t`Your next term is already paid without this add-on. Add it again when that term begins.`,
  add_on_owned: t`You already have this add-on.`,
  already_paid: t`This is paid already.`,
  automatic_renewal_off: t`Automatic renewal is not offered.`,
  automatic_renewal_on: t`Automatic renewal is already set up. Stop it first to use another method.`,
  automatic_renewal_waits: t`Your bank has yet to confirm automatic renewal. Stop it first to use another method.`,
  bad_request: t`We did not understand this request. Please load the page again.`,
  below_transfer_minimum: t`This amount is too small for a bank transfer. Please pay online.`,
  body_too_large: t`This is too long. Please shorten it.`,
  card_data: t`Please leave out card numbers: enter them on the payment page only.`,
  change_done: t`This change has already taken effect. Choose another plan to change again.`,
  code_used: t`This code was used already. Ask for a new one.`,
  conflict: t`This was changed elsewhere in the meantime. Please load the page again.`,
  consent_needed: t`Please read what you agree to, and tick the box.`,
  cross_site: t`This request came from another site. Please load the page again.`,
  debit_undecided: t`Your bank is working on the automatic renewal. If you pay now, you may pay twice until the second payment is refunded.`,
  domain_taken: t`Another store already uses this domain. If it is yours, remove it there first.`,
  newsletter_link_invalid: t`This link does not work. It has expired, or it was cut. Ask for a new one.`,
  email_off: t`We send no e-mails at present.`,
  email_proof_invalid: t`This link is no longer valid. Ask for a new one.`,
  email_proved: t`Your e-mail address is confirmed already.`,
  erasure_scheduled: t`This account is scheduled for erasure. Choose “Keep my account” first, then try again.`,
  expired_code: t`This code has expired. Ask for a new one.`,
  forbidden: t`You may not do this.`,
  idempotency_key_reused: t`This request was sent before with other content. Please reload the page and try again.`,
  internal: t`Server error! Please try again later.`,
  invalid_credentials: t`The mobile number or the password is wrong.`,
  limit_reached: t`The limit of your plan is reached.`,
  member_already: t`You already belong to this account.`,
  member_state: t`This person accepted or was removed meanwhile.`,
  no_custom_domain: t`No custom domain is set.`,
  no_invitation: t`This invitation is no longer valid. Ask for another one.`,
  no_tries_left: t`Too many wrong codes. Please try again later.`,
  not_active: t`Automatic renewal is not active.`,
  not_found: t`Resource not found!`,
  nothing_needed: t`We need nothing from you for this any more.`,
  other_mobile: t`This belongs to another mobile number.`,
  otp_expired: t`This code has expired. Ask for a new one.`,
  otp_tries_exhausted: t`Too many wrong codes. Please try again later.`,
  otp_wrong: t`Please enter a valid code. Only the latest code that we sent is valid.`,
  pay_link_done: t`This is paid already.`,
  mobile_changed: t`The mobile number was changed already. If this was not you, contact us at once.`,
  stop_link_invalid: t`This link does not work. It may have been cut. Log in, or contact us at once.`,
  pay_link_invalid: t`This link is no longer valid. Ask for a new one.`,
  payment_held: t`A payment for this is being looked at by our staff. Please do not pay again.`,
  payment_open: t`A payment for this renewal has been started. Finish it, or set automatic renewal up later.`,
  plan_ended: t`There is no plan in use. Choose or renew one, and your other systems open again.`,
  plan_expired: t`Your plan has ended. Please renew it.`,
  plan_is_current: t`You have this plan already.`,
  plan_needed: t`Please choose a plan first.`,
  plan_required: t`Please choose a plan first.`,
  plan_retired: t`This plan is no longer sold. Please choose another one.`,
  price_changed: t`The price has changed. Please look at it once more.`,
  redirect_refused: t`This system asks to be answered at an address that is not registered. Tell those who run it.`,
  renewal_not_open: t`There is nothing to renew just now.`,
  role_forbidden: t`Your role does not allow this.`,
  skip_stands: t`It is too late to undo the skip. Please pay this renewal manually.`,
  store_exists: t`There is a store already.`,
  team_full: t`An account has 50 people at most. Remove those who left first.`,
  too_many_requests: t`Too many requests. Please try again later.`,
  totp_required: t`Enter your authenticator code`,
  totp_wrong: t`This code of the authenticator app is wrong.`,
  trial_used: t`The free trial of this number has been used.`,
  unauthorized: t`Unauthorized! Please log in again.`,
  unavailable: t`This is not available just now. Please try again in a moment.`,
  unknown_system: t`This system is not connected to Franchise 360, or no longer. Tell those who run it.`,
  validation_failed: t`Please check what you entered.`,
  verification_invalid: t`This verification is used or has expired. Ask for a new code.`,
  view_ended: t`The view of this account has ended.`,
  view_only: t`You are looking at this account. Nothing can be changed in it.`,
  wrong_code: t`Please enter a valid code`,
  wrong_login: t`The mobile number or the password is wrong.`,
  xsrf_failed: t`This page is out of date. Please load it again.`,
});

// An English build shows the server's own words and ships no translations.
const failures: Record<string, string | undefined> = import.meta.env.LANGUAGE === 'en' ? {} : failureWords();

/** The translated text of an error code; falls back to the server's English. */
export const failureText = (code: string | undefined, english = ''): string => failures[code ?? ''] ?? english;
