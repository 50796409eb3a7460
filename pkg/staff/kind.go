package staff

import (
	"fmt"
	"slices"
)

// ActionReads is the filter's word for everything that staff looked at.
const ActionReads = "reads"

// readKinds are the kinds of actions that ActionReads covers.
func readKinds() []string {
	return []string{
		"search", "open_customer", "read_timeline", "read_trail", "read_mobile", "read_list", "export_list", "begin_view", "export_audit", "export_credit_notes",
		"take_gst_return", "open_document", "read_account", "take_statement", "take_books",
	}
}

// ActionKinds are all kinds of actions in the trail, in the order of its filter. No other kind is recorded, so
// that every record can be found by its kind.
func ActionKinds() []string {
	return append(readKinds(),
		"ask_view", "end_view", "unlock", "end_sessions", "resend_invoice", "recheck_domain", "extend_grace", "move_contact", "assign_contact", "change_delivery", "assign_delivery", "check_delivery", "add_delivery_file", "reply_contact", "note_contact", "add_macro", "change_macro", "delete_macro", "restore_documents",
		"add_note", "pin_note", "unpin_note", "delete_note", "tag_customer", "untag_customer",
		"ask_gateway", "request_refund", "approve_refund", "decline_refund", "request_credit_note", "approve_credit_note",
		"decline_credit_note", "request_bank_transfer", "approve_bank_transfer", "decline_bank_transfer", "request_release", "approve_release", "decline_release", "request_chargeback", "approve_chargeback",
		"decline_chargeback", "close_dispute",
		"withdraw_request", "request_short_payment", "approve_short_payment", "decline_short_payment",
		"request_end_debit", "approve_end_debit", "decline_end_debit",
		"request_correct_recipient", "approve_correct_recipient", "decline_correct_recipient", "request_cancel_plan",
		"approve_cancel_plan", "decline_cancel_plan", "request_switch_plan", "approve_switch_plan", "decline_switch_plan", "request_reset_authenticator", "approve_reset_authenticator",
		"decline_reset_authenticator", "request_change_mobile", "approve_change_mobile", "decline_change_mobile", "stop_change_mobile", "request_outage_grace", "approve_outage_grace", "decline_outage_grace", "request_open_books", "approve_open_books", "decline_open_books", "record_input_tax", "register_invoice", "compare_settlements", "acknowledge_difference", "lock_books", "unlock_books",
		"enter_bank_credit", "choose_statement_columns", "ask_bank_order", "ask_bank_return", "ask_bank_dismissal", "approve_bank_order", "decline_bank_order",
		"approve_bank_return", "decline_bank_return", "approve_bank_dismissal", "decline_bank_dismissal", "ask_bank_release", "approve_bank_release",
		"decline_bank_release", "cancel_proforma", "change_tds",
		"draft_catalogue", "edit_catalogue", "propose_catalogue", "approve_catalogue", "reject_catalogue", "withdraw_catalogue",
		"publish_announcement", "change_announcement", "end_announcement",
		"add_webhook", "change_webhook", "rotate_webhook", "enable_webhook", "disable_webhook", "remove_webhook", "test_webhook",
		"resend_webhook", "resend_webhooks", "make_api_key", "revoke_api_key",
		"add_sign_in_system", "change_sign_in_system", "rotate_sign_in_system", "enable_sign_in_system", "disable_sign_in_system",
		"remove_sign_in_system",
		"acknowledge_alert", "silence_alert", "unsilence_alert", "claim_work", "release_work",
		"rerun_job", "cancel_job", "dismiss_job", "snooze_job", "pause_queue", "resume_queue", "run_schedule",
		"sign_in", "sign_in_failed", "staff_created", "staff_changed", "staff_disabled", "staff_enabled",
		"invite_staff", "resend_staff_invitation", "withdraw_staff_invitation", "staff_joined", "staff_enrolled", "request_staff_reset",
		"approve_staff_reset", "decline_staff_reset", "end_staff_session", "change_password", "change_authenticator",
		"add_passkey", "rename_passkey", "remove_passkey", "passkey_copied",
	)
}

// knownKind refuses a kind that no filter offers and no page names.
func knownKind(kind string) error {
	if !slices.Contains(ActionKinds(), kind) {
		return fmt.Errorf("record staff action: there is no kind %q", kind)
	}
	return nil
}
