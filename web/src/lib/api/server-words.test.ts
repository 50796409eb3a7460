// @vitest-environment node

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { failureText, failureWords, fieldTexts, successText } from './server-words';

const contract = readFileSync(fileURLToPath(new URL('../../../../api/openapi.yaml', import.meta.url)), 'utf8');
const codes: string[] =
  /\n {4}FailureCode:[\s\S]*?enum:\n((?: {6}- \w+\n)+)/.exec(contract)?.[1]?.match(/\w+/g) ?? ([] as string[]);

/** Codes that the server explains in English: those of the staff's console and of screens that are not translated yet. */
const UNSAID = `
  add_on_not_renewed add_on_owned admin_decides already_decided amount_changed authenticator_expired bad_signature
  books_locked books_not_locked busy card_data change_done credit_exceeds_invoice credit_used customer_erased
  dashboard_taken delivery_waiting difference_clears difference_closed dispute_decided dry_run_gone email_off
  email_proved endpoint_disabled endpoint_state entry_ended idempotency_key_invalid idempotency_key_reused
  input_tax_state_known invitation_invalid invitation_over invoice_unavailable job_refused job_state job_twin
  last_admin member_already member_state month_runs name_required no_authenticator no_custom_domain no_grace
  no_input_tax no_invitation no_jobs no_lost_documents nobody_hit not_held not_refundable not_refused not_short
  not_your_request nothing_owed nothing_unused order_gone other_customer own_account own_request paid_by_transfer
  payment_decided payment_held plan_ended redirect_refused refund_too_large renewal_not_open request_open
  request_running reset_waits return_not_reconciled schedule_runs staff_disabled staff_exists staff_same system_state
  tds_differs tds_state tds_with_the_last team_full too_many_endpoints too_many_keys too_many_systems too_many_views
  transfer_booked unknown_field unknown_system unknown_transaction use_open utr_known view_ended view_exists view_only
`
  .trim()
  .split(/\s+/);

test('every code has a sentence of its own, or is listed as one that the server explains', () => {
  expect(codes.length).toBeGreaterThan(80);
  const said: string[] = Object.keys(failureWords());
  expect(codes.filter((code) => !said.includes(code))).toEqual(UNSAID);
  expect(said.filter((code) => !codes.includes(code))).toEqual([]);
});

test('in English the server is left to speak', () => {
  expect(failureText('otp_wrong', 'Please enter valid code.')).toBe('Please enter valid code.');
  expect(failureText(undefined)).toBe('');
  expect(successText('Welcome back.')).toBe('Welcome back.');
  const fields = { otp: ['Please enter valid code.'] };
  expect(fieldTexts('otp_wrong', fields)).toEqual(fields);
});
