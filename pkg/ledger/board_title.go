package ledger

// Titles says in words of accounting what each rule of the books demands.
func Titles() map[string]string {
	return map[string]string{
		"journal_balances":                 "Every journal entry balances",
		"debits_equal_credits":             "Total debits equal total credits",
		"receivable_settled_by_capture":    "Every receivable is settled by its payment",
		"clearing_never_overdrawn":         "No payment's clearing account is overdrawn",
		"numbers_have_no_gaps":             "Document numbers have no gaps",
		"numbers_follow_time":              "Document numbers follow the date of issue",
		"lines_add_up":                     "The lines of every document add up to its totals",
		"credits_within_invoice":           "Credit notes do not exceed their invoice",
		"notes_keep_the_place_of_supply":   "Credit notes keep the place of supply of their invoice",
		"replaced_invoices_are_taken_back": "Every invoice to a wrong recipient has its credit note and the invoice in its place",
		"documents_are_posted":             "Every document is posted to the books",
		"entries_have_documents":           "Every entry for a document has its document",
		"applied_notes_are_posted":         "Credit notes that were set off are posted",
		"invoices_have_a_paid_payment":     "Every invoice has a payment that was received",
		"captures_have_a_paid_payment":     "Every receipt in the books has a payment that was received",
		"paid_payments_have_one_set":       "Every payment received has one set of invoice and entries",
		"paid_orders_have_one_payment":     "No order was paid twice",
		"held_payments_are_booked":         "Held payments are booked as owed to the customer",
		"surplus_payments_are_owed_back":   "Surplus payments are booked as owed to the customer",
		"vouchers_are_of_held_money":       "Receipt vouchers are for held payments only",
		"refunds_are_posted":               "Every refund made is posted to the books",
		"refunds_have_a_credit_note":       "Every refund has its credit note",
		"bank_equals_payouts":              "The bank account equals what the gateways paid out",
		"payouts_have_a_line":              "Every payout in the books has its settlement line",
		"refused_tax_is_owed_again":        "Tax that a credit note may not reduce is owed again",
		"bank_credits_are_posted":          "Every bank transfer that came in is posted to the books",
		"bank_receipts_are_what_is_unused": "The account of unassigned bank receipts is what is unused of them",
		"deducted_tax_is_recorded":         "Tax that customers deducted is receivable and recorded alike",
		"figures_equal_the_rows":           "The kept figures equal the rows that they are counted from",
		"deferred_revenue_is_the_schedule": "Deferred revenue in the books is what the schedule leaves unearned",
		"revenue_days_add_up":              "Each day's deferred revenue adds up from the lines of its documents",
		"documents_are_scheduled":          "Every line of an invoice or credit note is on the revenue schedule",
		"open_lines_wait_for_something":    "No settlement line is left unbooked without a reason",
	}
}

// Title describes the rule for staff.
func (i Invariant) Title() string { return Titles()[i.Name] }
