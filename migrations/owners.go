package migrations

// Owners returns the tables each package owns: only that package's SQL may name them.
func Owners() map[string][]string { //nolint:funlen // a list
	return map[string][]string{
		"account": {
			"code_attempts", "code_sends", "email_proofs", "failed_sign_ins", "franchisers", "mobile_changes", "one_time_codes", "pending_sign_ups",
			"refresh_tokens", "sessions", "team_events", "team_invitations", "team_members", "totp_challenges", "totp_recovery_codes",
			"trial_mobiles", "verifications",
		},
		"announcement": {"announcements"},
		"alert": {
			"alert_deliveries", "alert_events", "alerts", "backups",
		},
		"address": {
			"business_addresses", "cities", "countries", "states",
		},
		"connect": {
			"api_keys", "reported_figures", "sign_in_codes", "sign_in_keys", "sign_in_systems",
		},
		"consent": {
			"support_views",
		},
		"contact": {
			"contact_entries", "contact_files", "contact_inbound", "contact_macros", "contact_requests", "newsletter_consents", "newsletter_letters", "newsletter_subscriptions",
		},
		"delivery": {"deliveries", "delivery_events", "delivery_files"},
		"einvoice": {
			"einvoice_registrations",
		},
		"figures": {"figure_codes", "figure_cohorts", "figure_failures", "figure_months", "figure_runs", "figure_trials"},
		"invoice": {
			"document_check", "documents_to_draw", "invoice_counters", "invoice_documents", "invoice_lines", "invoice_number_holds", "invoices", "lost_documents",
		},
		"jobadmin": {
			"job_dry_run_items", "job_dry_runs", "job_operation_items", "job_operations", "job_outcomes", "job_schedules", "worker_processes",
		},
		"ledger": {
			"book_check_results", "book_checks", "book_locks", "ledger_accounts", "ledger_journals", "ledger_lines",
		},
		"mandate": {
			"mandate_debits", "mandate_events", "mandates",
		},
		"message": {
			"customer_messages", "message_preferences", "sms_deliveries", "sms_providers", "support_messages", "whatsapp_consents",
		},
		"outlet": {
			"franchises", "outlet_events", "outlet_partners", "partner_messages", "partner_sessions",
		},
		"payment": {
			"disputes", "idempotency_keys", "input_tax_states", "payment_events", "payments", "refunds", "reversals",
		},
		"plan": {
			"catalogue_changes", "catalogue_revisions", "plan_add_on_revisions", "plan_add_ons", "plan_deliveries", "plan_features", "plan_revisions",
			"plan_service_revisions", "plan_services", "plans",
		},
		"platform/guard": {
			"spent_work",
		},
		"platform/queue": {
			"river_job", "river_leader", "river_migration", "river_notification", "river_queue",
		},
		"platform/ratelimit": {
			"rate_limits",
		},
		"platform/secret": {"kept_keys"},
		"revenue": {
			"revenue_days", "revenue_lines",
		},
		"settlement": {
			"bank_holidays", "settlement_days", "settlement_differences", "settlement_lines",
		},
		"staff": {
			"staff", "staff_actions", "staff_audit_checks", "staff_invitations", "staff_notices", "staff_openings",
			"staff_passkey_challenges", "staff_passkeys", "staff_resets", "staff_sessions",
		},
		"subscription": {
			"debited_renewals", "order_credits", "order_lines", "orders", "price_notices", "renewal_reminders", "subscription_add_ons", "subscription_events",
			"subscriptions", "switched_lines", "terms",
		},
		"support": {
			"customer_notes", "customer_tags", "saved_views", "staff_acts", "support_requests",
		},
		"tenant": {
			"business_types", "custom_domains", "domain_checks", "store_entries", "store_sessions", "tenants",
		},
		"transfer": {
			"bank_credit_uses", "bank_credits", "proforma_counters", "proformas", "statement_layouts", "tds_codes", "tds_records", "virtual_accounts",
		},
		"webhook": {
			"webhook_attempts", "webhook_deliveries", "webhook_endpoints", "webhook_events",
		},
		"worklist": {"work_claims"},
	}
}

// Views returns the views by which an owner lets others read where one round trip matters; everybody may name them.
func Views() map[string][]string {
	return map[string][]string{
		"account":        {"code_overview", "language_overview", "person_overview", "sign_up_overview"},
		"address":        {"address_overview"},
		"contact":        {"contact_answer_overview", "contact_overview"},
		"figures":        {"figure_overview"},
		"invoice":        {"document_overview", "invoice_line_overview"},
		"jobadmin":       {"schedule_overview", "worker_overview"},
		"outlet":         {"franchise_overview", "outlet_event_overview", "partner_overview"},
		"message":        {"delivery_overview"},
		"payment":        {"attempt_overview", "payment_overview", "returning_overview"},
		"plan":           {"catalogue_overview", "plan_add_on_overview", "plan_delivery_overview", "plan_overview"},
		"platform/queue": {"job_overview", "queue_overview"},
		"staff":          {"staff_overview"},
		"subscription":   {"held_overview", "order_line_overview", "order_overview", "order_place_overview", "recurring_overview", "subscription_overview", "trial_overview"},
		"tenant":         {"domain_check_overview", "domain_overview", "store_overview"},
	}
}

// Functions returns the functions and procedures each package owns. Their bodies are SQL of that package and name its tables only;
// rows of another one are asked for by a function or a view of that one.
func Functions() map[string][]string { //nolint:funlen // a list
	return map[string][]string{
		"account": {
			"account_name", "begin_session", "count_due_erasures", "customer_name", "end_sessions_of_member",
			"erasure_is_due", "find_franchiser_by_challenge", "find_franchiser_by_mobile", "find_login", "find_mobile_change",
			"find_renewed_session", "find_session", "find_session_by_refresh",
			"find_team_invitation", "own_memberships", "person_of", "proved_email", "reached_by", "role_of_session", "search_account_ids", "search_names", "search_people", "search_sign_ups", "search_sounding_people", "tell_account",
		},
		"address": {
			"legal_name_of", "search_addresses", "search_legal_names", "search_sounding_addresses",
		},
		"alert": {
			"alert_for_admins", "require_admin_to_silence", "require_own_alert_name",
		},
		"connect": {
			"dashboard_system", "find_api_key", "find_sign_in_system", "search_systems", "see_api_key", "take_sign_in_code",
		},
		"consent": {
			"find_staff_view",
		},
		"contact": {
			"ask_newsletter_letter", "confirm_newsletter", "contact_customer", "customer_address", "decide_own_newsletter", "leave_newsletter", "search_contacts", "withdraw_newsletter",
		},
		"delivery": {"deliveries_for_staff", "follow_purchases", "settle_deliveries", "tell_deliveries"},
		"einvoice": {
			"einvoice_counts", "einvoices", "einvoices_running_out", "einvoices_that_wait",
		},
		"invoice": {
			"credit_note_of", "documents_without_file", "invoice_counts", "invoice_issued_at", "keep_invoice", "latest_recipients", "note_document_to_draw", "note_drawn_document", "notes_to_reverse", "number_of_document", "numbers_of_payments", "paid_by_notes", "refuse_held_numbers", "registered_documents", "search_documents",
			"taxed_documents", "taxed_documents_of_all", "tell_document",
		},
		"jobadmin": {
			"keep_job_outcomes",
		},
		"ledger": {
			"books_are_locked", "books_at", "books_by_entry", "books_by_month", "books_of_sales", "books_open_from", "check_balance", "customers_in_books", "own_account_by_month", "refuse_locked", "unsettled_by_month",
		},
		"mandate": {
			"count_due_mandate_steps", "count_refused_debits", "find_mandate", "search_mandates", "tell_of_debit", "tell_of_mandate",
			"unconfirmed_mandate_stops", "unheard_debits",
		},
		"message": {
			"search_messages",
		},
		"outlet": {
			"find_invitation", "search_outlets", "tell_outlet", "tell_partner",
		},
		"payment": {
			"answer_due", "attempts_changed_from", "captures_unheard_of", "check_closed_dispute", "check_input_tax_state", "count_late_payment_checks",
			"find_any_transaction", "find_payment", "find_transaction", "has_paid", "keep_charge", "keep_decided_reversal", "kept_of_payment",
			"named_payments", "owed_of_invoiced", "owed_of_payment", "owed_to_franchiser", "payment_check_is_late",
			"clean_utr", "refund_transfer_exists",
			"reversing_notes", "reversing_notes_of_all", "search_payments", "search_refunds", "transaction_of", "undecided_payments", "waiting_money",
			"waiting_money_of_all", "watched_payments",
		},
		"plan": {"add_on_price", "keep_catalogue_change", "plan_items"},
		"platform/postgres": {
			"current_franchiser", "current_request", "day_in_india", "id_in", "is_worker", "isolate", "keep_to_first_states",
			"keep_to_transitions", "number_in", "refuse_change", "search_limit", "sound_forms", "sound_keys", "sound_words", "sounds_near", "sounds_of", "words_of",
		},
		"platform/queue": {
			"find_job", "job_cause", "keep_unknown_job", "queue_job", "river_job_state_in_bitmask",
		},
		"revenue": {
			"revenue_left", "revenue_unearned",
		},
		"settlement": {
			"require_own_acknowledgement", "working_day_after", "working_days_until",
		},
		"staff": {
			"accept_staff_invitation", "acting_staff", "add_staff_passkey", "ask_new_staff_passkey", "ask_staff_passkey",
			"begin_staff_passkey_session", "begin_staff_session", "chain_staff_action", "change_staff_account",
			"change_staff_authenticator", "change_staff_password", "decide_staff_reset", "end_staff_passkeys", "end_staff_session",
			"end_staff_session_of", "find_staff_invitation", "find_staff_passkey", "find_staff_session", "invite_staff",
			"live_sessions_of", "live_staff_session", "note_copied_staff_passkey", "note_failed_staff_sign_in", "note_staff_address",
			"note_staff_read", "owner_of_staff_session", "passkeys_of_staff", "purge_staff_sessions", "remove_staff_passkey",
			"rename_staff_passkey", "renew_staff_invitation", "require_second_person", "require_staff", "search_staff_actions",
			"see_staff_session", "spend_staff_code", "staff_accounts", "staff_action_hash", "staff_behind", "staff_factor", "staff_of_one_person", "staff_salt", "staff_tie",
			"staff_who_answer", "tell_other_admins", "ties_of_staff", "use_staff_passkey_challenge", "withdraw_staff_invitation",
		},
		"subscription": {
			"add_on_is_over", "bought_by", "count_due_reminders", "count_due_subscriptions", "count_over_add_ons",
			"due_price_notices", "due_reminders", "expect_debit", "expect_debits", "find_reminder", "grace_ended", "grace_ended_of_all", "grace_helped", "order_has_ended", "price_effect", "price_effect_on", "price_fixed_on", "purchase_ended", "recurring_changed_from", "renewals_priced", "renews_by_debit", "search_orders", "subscription_is_due", "tell_subscriptions",
		},
		"support": {
			"alone_in_acts", "customers_for_staff", "customers_matching", "keep_staff_act", "named_subjects", "search_acts", "support_find", "support_find_sounding", "support_search", "support_tagged",
		},
		"tenant": {
			"count_due_domain_checks", "domain_check_is_due", "find_store", "find_store_by_domain", "find_store_by_slug",
			"forget_domain_checks", "named_customer", "note_domain_check", "search_store_ids", "search_sounding_stores", "search_stores", "tell_domain", "tell_tenant",
			"verified_claim",
		},
		"transfer": {
			"bank_credit_exists", "bank_return_exists", "named_transfers", "only_replace_proformas", "paid_in_part", "refuse_known_credit",
			"refuse_known_refund", "refuse_known_return", "search_transfer_uses", "search_transfers",
		},
		"webhook": {
			"search_webhooks", "tell_webhooks", "webhooks_wanted",
		},
	}
}
