package migrations

// Owners says which package owns which tables: only its SQL names them.
func Owners() map[string][]string {
	return map[string][]string{
		"account": {
			"code_attempts", "code_sends", "failed_sign_ins", "franchisers", "one_time_codes", "pending_sign_ups",
			"refresh_tokens", "sessions", "totp_challenges", "totp_recovery_codes", "trial_mobiles", "verifications",
		},
		"address": {
			"business_addresses", "cities", "countries", "states",
		},
		"consent": {
			"support_views",
		},
		"contact": {
			"contact_requests", "newsletter_consents", "newsletter_subscriptions",
		},
		"invoice": {
			"invoice_counters", "invoice_documents", "invoice_lines", "invoices",
		},
		"jobadmin": {
			"job_operation_items", "job_operations", "job_outcomes", "job_schedules", "worker_processes",
		},
		"ledger": {
			"book_locks", "ledger_accounts", "ledger_journals", "ledger_lines",
		},
		"message": {
			"sms_deliveries", "sms_providers", "support_messages",
		},
		"payment": {
			"disputes", "idempotency_keys", "input_tax_states", "payment_events", "payments", "refunds", "reversals",
		},
		"plan": {
			"catalogue_revisions", "plan_add_on_revisions", "plan_add_ons", "plan_features", "plan_revisions",
			"plan_service_revisions", "plan_services", "plans",
		},
		"platform/guard": {
			"spent_work",
		},
		"platform/ratelimit": {
			"rate_limits",
		},
		"platform/secret": {
			"kept_keys",
		},
		"settlement": {
			"bank_holidays", "settlement_days", "settlement_differences", "settlement_lines",
		},
		"staff": {
			"staff", "staff_actions", "staff_audit_checks", "staff_sessions",
		},
		"subscription": {
			"order_credits", "order_lines", "orders", "renewal_reminders", "subscription_add_ons", "subscription_events",
			"subscriptions", "terms",
		},
		"support": {
			"support_requests",
		},
		"tenant": {
			"business_types", "custom_domains", "domain_checks", "franchises", "store_sessions", "tenants",
		},
	}
}
