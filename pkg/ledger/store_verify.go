package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
)

// check is one rule of the books: its query lists what breaks it as subject and detail.
type check struct{ name, query string }

// checks are the rules of the books. The journals' own balance is also enforced at every commit, the documents' sums by
// constraints; here they are checked again from the rows alone, as an auditor would.
func checks() []check {
	return slices.Concat(bookChecks(), documentChecks(), paymentChecks(), refundChecks(), payoutChecks(), taxChecks(), transferChecks(), revenueChecks())
}

func bookChecks() []check {
	return []check{
		{"journal_balances", `
			SELECT j.kind || ' ' || j.reference AS subject,
				format('%s lines, debit %s, credit %s', count(l.*), coalesce(sum(l.debit_paise), 0), coalesce(sum(l.credit_paise), 0)) AS detail
			FROM ledger_journals j LEFT JOIN ledger_lines l ON l.journal_id = j.id
			GROUP BY j.id HAVING count(l.*) < 2 OR sum(l.debit_paise) <> sum(l.credit_paise)`},
		{"debits_equal_credits", `
			SELECT 'all journals' AS subject, format('debit %s, credit %s', sum(debit_paise), sum(credit_paise)) AS detail
			FROM ledger_lines HAVING sum(debit_paise) <> sum(credit_paise)`},
		{"receivable_settled_by_capture", `
			SELECT 'payment ' || j.payment_id AS subject, format('receivable %s left', sum(l.debit_paise - l.credit_paise)) AS detail
			FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
			WHERE l.account = 'receivable'
			GROUP BY j.payment_id HAVING sum(l.debit_paise) <> sum(l.credit_paise)`},
		{"clearing_never_overdrawn", `
			SELECT 'payment ' || j.payment_id AS subject, format('clearing %s', sum(l.debit_paise - l.credit_paise)) AS detail
			FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
			WHERE l.account = 'gateway_clearing' AND j.payment_id IS NOT NULL
			GROUP BY j.payment_id
			-- a refund after the settlement overdraws it until the gateway keeps the amount back
			HAVING sum(l.debit_paise) FILTER (WHERE j.kind IN ('capture', 'extra_capture', 'held_capture')) IS DISTINCT FROM greatest(
				sum(l.debit_paise) FILTER (WHERE j.kind IN ('capture', 'extra_capture', 'held_capture')),
				sum(l.credit_paise) FILTER (WHERE j.kind = 'settlement'), sum(l.credit_paise) FILTER (WHERE j.kind IN ('refund', 'chargeback')))`},
	}
}

func documentChecks() []check {
	return []check{
		// Every number up to the counter belongs to one document, here or lost by a restore.
		{"numbers_have_no_gaps", `
			SELECT coalesce(c.series, n.series) || '/' || coalesce(c.financial_year, n.financial_year) AS subject,
				format('%s documents, first %s, last %s, counter %s, lost %s', n.documents, n.first, n.last, c.last, c.lost) AS detail
			FROM (
				SELECT series, financial_year, last, lost, (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(lost) r) AS gone
				FROM invoice_counters
			) c FULL JOIN (
				SELECT i.series, i.financial_year, count(*) AS documents, min(i.sequence) AS first, max(i.sequence) AS last,
					count(*) FILTER (WHERE i.sequence <@ k.lost) AS found
				FROM invoices i LEFT JOIN invoice_counters k USING (series, financial_year) GROUP BY i.series, i.financial_year
			) n USING (series, financial_year)
			WHERE c.last IS NULL OR coalesce(n.documents, 0) + c.gone <> c.last OR n.last > c.last OR n.found > 0
				OR upper(c.lost) - 1 > c.last`},
		{"numbers_follow_time", `
			SELECT number AS subject, 'issued before the number that precedes it' AS detail
			FROM (SELECT number, issued_at,
					lag(issued_at) OVER (PARTITION BY series, financial_year ORDER BY sequence) AS before FROM invoices) n
			WHERE issued_at < before`},
		{"lines_add_up", `
			SELECT i.number AS subject, 'totals differ from the sum of the lines' AS detail
			FROM invoices i LEFT JOIN invoice_lines l ON l.invoice_id = i.id AND l.franchiser_id = i.franchiser_id
			GROUP BY i.id
			HAVING (sum(l.amount_paise), sum(l.discount_paise), sum(l.taxable_paise), sum(l.cgst_paise), sum(l.sgst_paise),
				sum(l.utgst_paise), sum(l.igst_paise)) IS DISTINCT FROM
				(i.amount_paise::numeric, i.discount_paise::numeric, i.taxable_paise::numeric, i.cgst_paise::numeric,
				i.sgst_paise::numeric, i.utgst_paise::numeric, i.igst_paise::numeric)`},
		{"credits_within_invoice", `
			SELECT i.number AS subject, format('credited %s of %s', sum(n.total_paise), i.total_paise) AS detail
			FROM invoices i JOIN invoices n ON n.original_id = i.id AND n.franchiser_id = i.franchiser_id
			-- of a note without GST only the total counts
			GROUP BY i.id HAVING sum(n.total_paise) > i.total_paise OR coalesce(sum(n.cgst_paise), 0) > i.cgst_paise
				OR coalesce(sum(n.sgst_paise), 0) > i.sgst_paise OR coalesce(sum(n.utgst_paise), 0) > i.utgst_paise
				OR coalesce(sum(n.igst_paise), 0) > i.igst_paise
				OR coalesce(sum(n.taxable_paise) FILTER (WHERE NOT n.commercial), 0) > i.taxable_paise`},
		{"notes_keep_the_place_of_supply", `
			SELECT n.number AS subject, format('its invoice is %s in %s', i.regime, i.place_of_supply) AS detail
			FROM invoices n JOIN invoices i ON i.id = n.original_id AND i.franchiser_id = n.franchiser_id
			WHERE (n.regime, n.place_of_supply) <> (i.regime, i.place_of_supply)`},
		{"replaced_invoices_are_taken_back", `
			SELECT i.number AS subject, format('replaced %s, credited %s of %s, new value %s of %s', i.replaced, n.total_paise, i.total_paise,
				r.taxable_paise, i.taxable_paise) AS detail
			FROM invoices i LEFT JOIN invoices n ON n.corrects_id = i.id AND n.kind = 'credit_note'
				LEFT JOIN invoices r ON r.corrects_id = i.id AND r.kind = 'invoice'
			WHERE i.kind = 'invoice' AND (i.replaced OR n.id IS NOT NULL OR r.id IS NOT NULL)
				AND (i.replaced, n.total_paise, r.taxable_paise, n.payment_id, r.payment_id)
					IS DISTINCT FROM (true, i.total_paise, i.taxable_paise, i.payment_id, i.payment_id)`},
		{"documents_are_posted", `
			SELECT i.number AS subject, 'its entry is missing or differs' AS detail
			FROM invoices i LEFT JOIN (
				SELECT j.invoice_id, j.kind,
					sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'receivable') AS receivable,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'customer_credit') AS credit,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account IN ('revenue', 'refunds')) AS value,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_cgst') AS cgst,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_sgst') AS sgst,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_utgst') AS utgst,
					sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_igst') AS igst
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
				WHERE j.kind IN ('sale', 'credit_note')
				GROUP BY j.id
			) p ON p.invoice_id = i.id AND p.kind = CASE i.kind WHEN 'invoice' THEN 'sale' ELSE 'credit_note' END
			CROSS JOIN LATERAL (SELECT CASE i.kind WHEN 'invoice' THEN 1 ELSE -1 END AS sign) s
			WHERE i.kind IN ('invoice', 'credit_note') AND (coalesce(p.value, 0), coalesce(p.cgst, 0), coalesce(p.sgst, 0), coalesce(p.utgst, 0), coalesce(p.igst, 0),
					coalesce(CASE i.kind WHEN 'invoice' THEN p.receivable ELSE p.credit END, 0))
				IS DISTINCT FROM ((s.sign * i.taxable_paise)::numeric, (s.sign * i.cgst_paise)::numeric,
					(s.sign * i.sgst_paise)::numeric, (s.sign * i.utgst_paise)::numeric, (s.sign * i.igst_paise)::numeric,
					i.total_paise::numeric)`},
		{"entries_have_documents", `
			SELECT j.kind || ' ' || j.reference AS subject, 'no such document' AS detail
			FROM ledger_journals j LEFT JOIN invoices i ON i.id = j.invoice_id AND i.franchiser_id = j.franchiser_id
				AND i.kind = CASE j.kind WHEN 'sale' THEN 'invoice' ELSE 'credit_note' END
			WHERE j.kind IN ('sale', 'credit_note') AND i.id IS NULL`},
	}
}

// paymentChecks compare the books with the gateway's captures and refunds. A surplus payment was captured without an amount due: it has no
// invoice and is owed back.
func paymentChecks() []check {
	return []check{
		{"paid_payments_have_one_set", `
			SELECT 'payment ' || p.id AS subject, format('order %s, invoices %s of %s, sales %s, captures %s of %s, captured %s',
				o.state, i.n, i.total, s.n, c.n, c.total, p.captured_paise) AS detail
			FROM payments p JOIN orders o ON o.id = p.order_id AND o.franchiser_id = p.franchiser_id
			CROSS JOIN LATERAL (SELECT count(*) AS n, sum(total_paise) AS total FROM invoices
				WHERE payment_id = p.id AND franchiser_id = p.franchiser_id AND kind = 'invoice' AND NOT replaced) i
			CROSS JOIN LATERAL (SELECT coalesce(sum(total_paise), 0) AS total FROM invoices
				WHERE applied_payment_id = p.id AND franchiser_id = p.franchiser_id) n
			CROSS JOIN LATERAL (SELECT count(*) AS n FROM ledger_journals
				WHERE payment_id = p.id AND franchiser_id = p.franchiser_id AND kind = 'sale'
					AND NOT EXISTS (SELECT FROM invoices r WHERE r.id = ledger_journals.invoice_id AND r.replaced)) s
			CROSS JOIN LATERAL (SELECT count(DISTINCT j.id) AS n, sum(l.debit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
				WHERE j.payment_id = p.id AND j.franchiser_id = p.franchiser_id AND j.kind = 'capture') c
			-- what of the capture was more than was due is owed back
			CROSS JOIN LATERAL (SELECT p.captured_paise - coalesce(sum(l.debit_paise), 0) AS paise
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id AND l.franchiser_id = j.franchiser_id
				WHERE j.payment_id = p.id AND j.franchiser_id = p.franchiser_id AND j.kind = 'extra_capture'
					AND j.reference = p.id::text) due
			-- paise that no tax by line adds up to
			CROSS JOIN LATERAL (SELECT coalesce(sum(l.debit_paise - l.credit_paise), 0) AS paise
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id AND l.franchiser_id = j.franchiser_id
				WHERE j.payment_id = p.id AND j.franchiser_id = p.franchiser_id AND j.kind = 'rounding' AND l.account = 'rounding') off
			WHERE p.state IN ('paid', 'refunded') AND NOT p.surplus
				AND (o.state, i.n, i.total, s.n, c.n, c.total)
					IS DISTINCT FROM ('paid', 1, due.paise + n.total + off.paise, 1, 1, due.paise)`},
		{"vouchers_are_of_held_money", `
			SELECT v.number AS subject, format('%s of %s, captured %s', coalesce(p.state, 'missing'), v.total_paise, p.captured_paise) AS detail
			FROM invoices v LEFT JOIN payments p ON p.id = v.payment_id AND p.franchiser_id = v.franchiser_id
			WHERE v.kind IN ('receipt_voucher', 'refund_voucher')
				AND (p.state IS NULL OR p.state NOT IN ('held', 'refunded') AND (p.state <> 'paid' OR v.kind <> 'receipt_voucher')
					OR p.captured_paise <> v.total_paise)`},
		{"applied_notes_are_posted", `
			SELECT coalesce(n.number, j.reference) AS subject, format('applied for %s, posted %s', n.total_paise, j.total) AS detail
			FROM (SELECT id, number, total_paise, coalesce(applied_payment_id, payment_id) AS applied_to FROM invoices
				WHERE applied_payment_id IS NOT NULL OR kind = 'credit_note' AND corrects_id IS NOT NULL) n FULL JOIN (
				SELECT j.reference, j.payment_id, sum(l.credit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id AND l.franchiser_id = j.franchiser_id
				WHERE j.kind = 'credit_applied' GROUP BY j.id
			) j ON j.reference = n.id::text AND j.payment_id = n.applied_to
			WHERE n.total_paise::numeric IS DISTINCT FROM j.total`},
		{"surplus_payments_are_owed_back", `
			SELECT 'payment ' || p.id AS subject, 'captured without an order, yet not owed back' AS detail
			FROM payments p
			WHERE p.state IN ('paid', 'refunded') AND p.surplus
				AND (EXISTS (SELECT FROM invoices i WHERE i.payment_id = p.id AND i.franchiser_id = p.franchiser_id
						AND i.kind IN ('invoice', 'credit_note'))
					OR NOT EXISTS (SELECT FROM ledger_journals j WHERE j.payment_id = p.id
						AND j.franchiser_id = p.franchiser_id AND j.kind IN ('extra_capture', 'held_release')))`},
		{"held_payments_are_booked", `
			SELECT 'payment ' || p.id AS subject, format('held %s, in the books %s', p.captured_paise, coalesce(l.total, 0)) AS detail
			FROM payments p LEFT JOIN LATERAL (SELECT sum(l.credit_paise - l.debit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
				WHERE j.payment_id = p.id AND l.account = 'held_payments') l ON true
			-- a payment that was released is owed back instead
			WHERE coalesce(l.total, 0) <> CASE WHEN p.state = 'held' AND NOT p.surplus THEN coalesce(p.captured_paise, 0) ELSE 0 END`},
		{"invoices_have_a_paid_payment", `
			SELECT i.number AS subject, format('its payment is %s', coalesce(p.state, 'missing')) AS detail
			FROM invoices i LEFT JOIN payments p ON p.id = i.payment_id AND p.franchiser_id = i.franchiser_id
			WHERE i.kind IN ('invoice', 'credit_note') AND (p.state IS NULL OR p.state NOT IN ('paid', 'refunded') OR p.surplus)`},
		{"captures_have_a_paid_payment", `
			SELECT j.kind || ' ' || j.reference AS subject, format('its payment is %s', coalesce(p.state, 'missing')) AS detail
			FROM ledger_journals j LEFT JOIN payments p ON p.id = j.payment_id AND p.franchiser_id = j.franchiser_id
			-- a held payment that was released is on its way back, as is a second capture beside a held one
			WHERE j.kind IN ('capture', 'extra_capture', 'held_capture') AND (p.state IS NULL
				OR p.state NOT IN ('paid', 'refunded') AND NOT (p.state = 'held' AND (p.surplus OR j.kind <> 'capture')))`},
		{"paid_orders_have_one_payment", `
			SELECT 'order ' || o.id AS subject, format('%s payments', count(p.id)) AS detail
			FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.franchiser_id = o.franchiser_id
				AND p.state IN ('paid', 'refunded') AND NOT p.surplus
			WHERE o.state = 'paid' AND o.total_paise > 0
			GROUP BY o.id HAVING count(p.id) <> 1`},
	}
}

// refundChecks compare the books and the credit notes with the refunds.
func refundChecks() []check {
	return []check{
		{"refunds_are_posted", `
			SELECT 'refund ' || coalesce(r.id::text, j.reference) AS subject,
				format('done for %s, posted %s', r.amount_paise, j.total) AS detail
			FROM (SELECT id, amount_paise FROM refunds WHERE state = 'done') r FULL JOIN (
				SELECT j.reference, sum(l.credit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
				WHERE j.kind IN ('refund', 'chargeback') GROUP BY j.id
			) j ON j.reference = r.id::text
			WHERE r.amount_paise::numeric IS DISTINCT FROM j.total`},
		// the part of a refund without a credit note is booked as a loss
		{"refunds_have_a_credit_note", `
			SELECT 'refund ' || r.id AS subject, format('of %s, credited %s, lost %s', r.amount_paise, n.total_paise, j.total) AS detail
			FROM refunds r JOIN payments p ON p.id = r.payment_id AND p.franchiser_id = r.franchiser_id
			LEFT JOIN invoices n ON n.refund_id = r.id AND n.franchiser_id = r.franchiser_id AND n.kind = 'credit_note'
			LEFT JOIN LATERAL (SELECT sum(l.debit_paise) AS total
				FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id AND l.franchiser_id = j.franchiser_id
				WHERE j.kind = 'refund_loss' AND j.reference = r.id::text) j ON true
			WHERE CASE WHEN r.state = 'done' AND r.reason <> 'surplus' AND NOT p.surplus
				THEN coalesce(n.total_paise, 0) + coalesce(j.total, 0) <> r.amount_paise ELSE n.id IS NOT NULL OR j.total IS NOT NULL END`},
	}
}

// maxFindings limits the findings of one check; a hundred violations of a rule are enough.
const maxFindings = 100

const countSQL = `
	SELECT (SELECT count(*) FROM ledger_journals) AS journals, (SELECT count(*) FROM invoices) AS invoices,
		(SELECT count(*) FROM payments WHERE state IN ('paid', 'refunded')) AS payments,
		(SELECT coalesce(sum(debit_paise), 0)::bigint FROM ledger_lines) AS debit,
		(SELECT coalesce(sum(credit_paise), 0)::bigint FROM ledger_lines) AS credit`

func (store) verify(ctx context.Context, tx *sqlx.Tx) (Report, error) {
	// One snapshot for all checks, so that a concurrent purchase is seen whole or not at all.
	if _, err := tx.ExecContext(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
		return Report{}, fmt.Errorf("begin snapshot: %w", err)
	}
	var report Report
	row := tx.QueryRowxContext(ctx, countSQL)
	if err := row.Scan(&report.Journals, &report.Invoices, &report.Payments, &report.Debit, &report.Credit); err != nil {
		return Report{}, fmt.Errorf("count the books: %w", err)
	}
	for _, c := range checks() {
		var findings []Finding
		query := `SELECT $1::text AS check_name, coalesce(subject, 'no name') AS subject, coalesce(detail, '') AS detail
			FROM (` + c.query + `) c ORDER BY c.subject LIMIT $2`
		if err := tx.SelectContext(ctx, &findings, query, c.name, maxFindings); err != nil {
			return Report{}, fmt.Errorf("check %s: %w", c.name, err)
		}
		report.Findings = append(report.Findings, findings...)
	}
	if err := tx.SelectContext(ctx, &report.Unbooked, unbookedSQL, maxFindings); err != nil {
		return Report{}, fmt.Errorf("list what is not booked of the payouts: %w", err)
	}
	return report, nil
}
