package ledger

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// RevenueDay is the change of deferred revenue on one day, before tax; Day is its date, as 2026-11-24.
type RevenueDay struct {
	Day                          string
	Billed, Recognised, Credited money.Paise
	At                           time.Time
}

// Recognition moves the amount invoiced on a day to deferred revenue, and the day's earned part back to revenue. Credit notes for service
// that was still owed reduce deferred revenue instead of revenue. It concerns all customers and names no customer.
func Recognition(d RevenueDay) Entry {
	return bankEntry("revenue", d.Day, "Revenue of "+d.Day, d.At, nonZero(
		Debit(AccountRevenue, d.Billed), Credit(AccountDeferredRevenue, d.Billed),
		Debit(AccountDeferredRevenue, d.Recognised), Credit(AccountRevenue, d.Recognised),
		Debit(AccountDeferredRevenue, d.Credited), Credit(AccountRefunds, d.Credited),
	)...)
}

// revenueChecks compare deferred revenue with the schedule of the lines of documents.
func revenueChecks() []check {
	return []check{
		{"deferred_revenue_is_the_schedule", `
			SELECT 'deferred revenue' AS subject, format('schedule %s, in the books %s', s.paise, l.paise) AS detail
			FROM (SELECT coalesce((SELECT closing_paise FROM revenue_days ORDER BY day DESC LIMIT 1), 0) AS paise) s,
				(SELECT coalesce(sum(credit_paise - debit_paise), 0) AS paise FROM ledger_lines WHERE account = 'deferred_revenue') l
			WHERE s.paise <> l.paise`},
		{"revenue_days_add_up", `
			SELECT 'day ' || d.day AS subject, format('opening %s after %s, closing %s, left of the lines %s', d.opening_paise, d.before,
				d.closing_paise, d.unearned) AS detail
			FROM (SELECT day, opening_paise, closing_paise, coalesce(lag(closing_paise) OVER (ORDER BY day), 0) AS before,
					CASE WHEN lead(day) OVER (ORDER BY day) IS NULL THEN revenue_left(day) END AS unearned
				FROM revenue_days) d
			WHERE d.opening_paise <> d.before OR d.unearned <> d.closing_paise`},
		// A document is booked with the day on which it was issued or, issued over midnight, with the next.
		{"documents_are_scheduled", `
			SELECT i.number AS subject, format('line %s of %s, on the schedule %s', l.position, l.taxable_paise, r.amount_paise) AS detail
			FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
			LEFT JOIN revenue_lines r ON r.invoice_id = coalesce(i.original_id, i.id) AND r.position = l.position AND r.document_id = i.id
			WHERE i.kind IN ('invoice', 'credit_note')
				AND i.issued_at < (SELECT max(day) FROM revenue_days)::timestamp AT TIME ZONE 'Asia/Kolkata'
				AND (r.invoice_id IS NULL OR i.kind = 'invoice' AND r.amount_paise <> l.taxable_paise
					OR i.kind = 'credit_note' AND r.credited_paise > l.taxable_paise)`},
	}
}
