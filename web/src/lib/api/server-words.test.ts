// @vitest-environment node

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { failureText, failureWords } from './server-words';

const contract = readFileSync(fileURLToPath(new URL('../../../../api/openapi.yaml', import.meta.url)), 'utf8');
const codes: string[] =
  /\n {4}FailureCode:[\s\S]*?enum:\n((?: {6}- \w+\n)+)/.exec(contract)?.[1]?.match(/\w+/g) ?? ([] as string[]);

/** Codes that the server explains in English: those of the staff's console and of the interface for developers. */
const UNSAID = `
  admin_decides admins_alone alert_resolved already_decided amount_changed authenticator_expired bad_signature
  books_locked books_not_locked busy catalogue_decided catalogue_draft_moved catalogue_no_draft catalogue_outdated
  catalogue_own_change catalogue_pending catalogue_problems catalogue_too_late catalogue_unchanged change_waits
  charged_once claimed contact_erased contact_state correction_too_late credit_exceeds_invoice credit_used
  customer_erased dashboard_taken dearer debit_under_way delivery_waiting difference_clears difference_closed
  dispute_decided dry_run_gone earlier_payment_disputed email_too_large endpoint_disabled endpoint_state entry_ended
  export_not_reconciled idempotency_key_invalid input_tax_state_known invitation_invalid invitation_over
  invoice_credited invoice_replaced job_admins_alone job_refused job_state job_twin last_admin macro_exists
  mobile_taken month_runs next_term_paid no_address no_authenticator no_email no_grace no_input_tax no_jobs
  no_lost_documents nobody_hit not_an_invoice not_cheaper not_connected not_dearer not_held not_refundable
  not_refused not_scheduled not_short not_switchable not_undecided not_your_request nothing_owed nothing_unused
  one_person order_ended order_gone other_add_ons other_customer other_cycle own_account own_request
  paid_by_transfer paid_in_full passkey_copied passkey_expired passkey_known passkey_refused passkeys_unavailable
  payment_decided payment_under_way proforma_open refund_too_large refund_too_small request_open request_running
  reset_waits return_not_reconciled same_recipient schedule_runs staff_disabled staff_exists staff_role staff_same
  system_state tds_differs tds_state tds_with_the_last thread_changed time_machine_busy time_machine_failed
  time_machine_off too_many_endpoints too_many_keys too_many_macros too_many_passkeys too_many_systems too_many_tags
  too_many_views transfer_booked unknown_field unknown_transaction use_open utr_known view_exists
`
  .trim()
  .split(/\s+/);

test('every code has a sentence, or is listed as explained by the server', () => {
  expect(codes.length).toBeGreaterThan(80);
  const said: string[] = Object.keys(failureWords());
  expect(codes.filter((code) => !said.includes(code))).toEqual(UNSAID);
  expect(said.filter((code) => !codes.includes(code))).toEqual([]);
});

test('in English, shows the server’s words', () => {
  expect(failureText('otp_wrong', 'Please enter a valid code.')).toBe('Please enter a valid code.');
  expect(failureText(undefined)).toBe('');
});
