package ledger

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Money on the bank account concerns no customer before it is assigned, so its entries name no customer.
func bankEntry(what, id, description string, at time.Time, lines ...Line) Entry {
	return Entry{Kind: KindAdjustment, Reference: what + "/" + id, Description: description, PostedAt: at, Lines: lines}
}

// BankReceipt records a transfer that came in, named by the credit's id: on the bank account, or at a provider that collects for us and
// pays out later (AccountGatewayClearing).
func BankReceipt(creditID string, to Account, amount money.Paise, at time.Time) Entry {
	return bankEntry("bank_credit", creditID, "Bank transfer received", at, Debit(to, amount), Credit(AccountBankReceipts, amount))
}

// BankReceiptDismissed reverses BankReceipt: the credit was entered by mistake, or is booked elsewhere.
func BankReceiptDismissed(creditID string, to Account, amount money.Paise, at time.Time) Entry {
	return bankEntry("bank_credit_dismissed", creditID, "Bank transfer dismissed", at,
		Debit(AccountBankReceipts, amount), Credit(to, amount))
}

// BankReturn records that the unused part of a transfer was transferred back; its reference is the id of that use of the credit.
func BankReturn(useID string, amount money.Paise, at time.Time) Entry {
	return bankEntry("bank_return", useID, "Bank transfer returned", at, Debit(AccountBankReceipts, amount), Credit(AccountBank, amount))
}

// paidLessTexts are the texts of a payment with its deductions: both taxes, income tax, GST. The longest that fits comes first.
func paidLessTexts() (both, tds, gst string) {
	return i18n.Mark("Paid by bank transfer: {1}, income tax deducted (TDS): {2}, GST deducted: {3}"),
		i18n.Mark("Paid by bank transfer: {1}, income tax deducted (TDS): {2}"),
		i18n.Mark("Paid by bank transfer: {1}, GST deducted: {2}")
}

// TransferCapture records that bank transfers paid an invoice, less the tax that the customer deducted; its reference is the payment's id
// and its amount the whole of the invoice. Its words, which a statement of account shows, tell the money from the tax.
func TransferCapture(m Movement, tds, gstTDS money.Paise) Entry {
	lessBoth, lessTDS, lessGST := paidLessTexts()
	description, paid := i18n.Mark("Paid by bank transfer"), []string{(m.Amount - tds - gstTDS).Display(), tds.Display(), gstTDS.Display()}
	switch {
	case tds > 0 && gstTDS > 0:
		description = i18n.Fill(lessBoth, paid)
	case tds > 0:
		description = i18n.Fill(lessTDS, paid)
	case gstTDS > 0:
		description = i18n.Fill(lessGST, []string{paid[0], paid[2]})
	}
	return m.entry(KindCapture, description,
		Debit(AccountBankReceipts, m.Amount-tds-gstTDS), Debit(AccountTDSReceivable, tds), Debit(AccountGSTTDSReceivable, gstTDS),
		Credit(AccountReceivable, m.Amount))
}

// transferChecks compare the books with the received transfers, their uses, and the deducted tax.
func transferChecks() []check {
	return []check{
		{"bank_credits_are_posted", `
			SELECT 'bank credit ' || coalesce(c.id::text, j.reference) AS subject,
				format('came in %s, in the books %s', c.amount_paise, j.total) AS detail
			FROM (SELECT c.*, c.state <> 'dismissed' AS counts FROM bank_credits c) c FULL JOIN (
				SELECT substring(j.reference FROM '[^/]*$') AS credit, min(j.reference) AS reference, sum(l.credit_paise - l.debit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id AND l.account = 'bank_receipts'
				WHERE j.kind = 'adjustment' AND j.reference LIKE 'bank\_credit%' GROUP BY 1
			) j ON j.credit = c.id::text
			-- one that was just entered is posted by the job that matches it
			WHERE coalesce(j.total, 0) <> CASE WHEN c.counts THEN c.amount_paise ELSE 0 END
				AND NOT (j.total IS NULL AND c.counts AND c.used_paise = 0)`},
		{"bank_receipts_are_what_is_unused", `
			SELECT 'bank receipts' AS subject, format('unused %s, in the books %s', c.rest, l.total) AS detail
			FROM (SELECT coalesce(sum(CASE WHEN u.amount_paise IS NULL THEN c.amount_paise ELSE c.amount_paise - u.amount_paise END), 0) AS rest
				FROM bank_credits c LEFT JOIN LATERAL (SELECT sum(x.amount_paise) AS amount_paise FROM bank_credit_uses x
					LEFT JOIN proformas p ON p.id = x.proforma_id
					WHERE x.credit_id = c.id AND x.state = 'done' AND (x.kind = 'return' OR p.state = 'paid')) u ON true
				WHERE c.state <> 'dismissed' AND EXISTS (SELECT FROM ledger_journals j WHERE j.reference = 'bank_credit/' || c.id)) c,
				(SELECT coalesce(sum(l.credit_paise - l.debit_paise), 0) AS total FROM ledger_lines l WHERE l.account = 'bank_receipts') l
			WHERE c.rest <> l.total`},
		// A refund of an upgrade also takes back tax of the earlier payments that paid it, so what refunds took is compared by customer.
		{"deducted_tax_is_recorded", `
			WITH posted AS (SELECT j.franchiser_id, j.payment_id, j.kind, l.account, l.debit_paise - l.credit_paise AS paise
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id WHERE l.account IN ('tds_receivable', 'gst_tds_receivable')
			), recorded AS (SELECT t.*, CASE t.kind WHEN 'gst' THEN 'gst_tds_receivable' ELSE 'tds_receivable' END AS account FROM tds_records t)
			SELECT 'payment ' || coalesce(j.payment_id, r.payment_id) AS subject, format('in the books %s, recorded %s', j.total, r.total) AS detail
			FROM (SELECT payment_id, account, sum(paise) AS total FROM posted WHERE kind <> 'refund' GROUP BY 1, 2) j
			FULL JOIN (SELECT payment_id, account, sum(amount_paise) AS total FROM recorded GROUP BY 1, 2) r
				ON r.payment_id = j.payment_id AND r.account = j.account
			WHERE j.total IS DISTINCT FROM r.total
			UNION ALL
			SELECT 'customer ' || coalesce(j.franchiser_id, r.franchiser_ref), format('taken back in the books %s, recorded %s', -j.total, r.total)
			FROM (SELECT franchiser_id, account, sum(paise) AS total FROM posted WHERE kind = 'refund' GROUP BY 1, 2) j
			FULL JOIN (SELECT franchiser_ref, account, sum(reversed_paise) AS total FROM recorded GROUP BY 1, 2) r
				ON r.franchiser_ref = j.franchiser_id AND r.account = j.account
			WHERE coalesce(-j.total, 0) <> coalesce(r.total, 0)`},
	}
}
