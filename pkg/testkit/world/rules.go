package world

import (
	"context"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// rule must hold after every step: its query finds the franchisers that violate it. {c} stands for the condition on the
// rows to check, $1 is today.
type rule struct{ name, query string }

// keptLast is keep_plan of the refund of payment p that was requested last, which decides whether the plan ends.
const keptLast = `coalesce((SELECT r.keep_plan FROM refunds r WHERE r.payment_id = p.id AND r.reason <> 'surplus' AND r.state <> 'failed'
	AND r.credits_payment_id IS NULL ORDER BY r.created_at DESC, r.id DESC LIMIT 1), false)`

func rules() []rule {
	return append(append(documentRules(), deliveryRules()...), []rule{
		nobodyForges(),
		{"one open order", `SELECT franchiser_id FROM orders c WHERE {c} AND state = 'open' GROUP BY 1 HAVING count(*) > 1`},
		{"one term in force", `SELECT franchiser_id FROM terms c WHERE {c} AND status = 'current' GROUP BY 1 HAVING count(*) > 1`},
		{"one open try an order", `SELECT franchiser_id FROM payments c WHERE {c} AND state IN ('created', 'pending')
			GROUP BY franchiser_id, order_id HAVING count(*) > 1`},
		{"a payment has its effect", `SELECT c.franchiser_id FROM payments c JOIN orders o ON o.id = c.order_id
			WHERE {c} AND c.state IN ('paid', 'refunded') AND NOT c.surplus AND o.state <> 'paid'`},
		{"an order is paid once", `SELECT franchiser_id FROM payments c WHERE {c} AND state IN ('paid', 'refunded') AND NOT surplus
			GROUP BY franchiser_id, order_id HAVING count(*) > 1`},
		{"a paid order was paid for", `SELECT c.franchiser_id FROM orders c WHERE {c} AND c.state = 'paid' AND c.total_paise > 0
			AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = c.id AND p.state IN ('paid', 'refunded') AND NOT p.surplus)`},
		{"an order says what was invoiced", `SELECT c.franchiser_id FROM payments c JOIN invoices i ON i.payment_id = c.id AND i.kind = 'invoice'
			JOIN order_lines o ON o.order_id = c.order_id LEFT JOIN invoice_lines l ON l.invoice_id = i.id AND l.position = o.position
			WHERE {c} AND ((o.amount_paise, o.rate_bps) IS DISTINCT FROM (l.amount_paise, l.rate_bps) OR right(l.description, length(o.label)) <> o.label)`},
		{"one invoice a payment", `SELECT c.franchiser_id FROM payments c WHERE {c} AND
			(c.state IN ('paid', 'refunded') AND NOT c.surplus) <> EXISTS (SELECT FROM invoices i WHERE i.payment_id = c.id AND i.kind = 'invoice')`},
		{"a surplus goes back once", `SELECT c.franchiser_id FROM payments c WHERE {c} AND c.surplus AND (SELECT count(*) FROM refunds r
			WHERE r.payment_id = c.id AND r.gateway_payment_id = c.gateway_payment_id AND r.reason = 'surplus' AND r.channel = 'gateway') <> 1
			-- but for held money that went back without us
			AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = c.id AND r.gateway_payment_id = c.gateway_payment_id
				AND r.reason IN ('gateway', 'dispute'))`},
		{"an order applies to what it was priced for", `SELECT franchiser_id FROM orders c WHERE {c} AND state = 'paid'
			GROUP BY franchiser_id, base_revision HAVING count(*) > 1`},
		// a term refunded on its first day keeps that day, because it has at least one
		{"terms do not overlap", `SELECT c.franchiser_id FROM terms c JOIN terms b ON b.franchiser_id = c.franchiser_id AND b.id <> c.id
			AND b.starts_on >= c.starts_on AND b.starts_on < c.renew_on AND c.status <> 'replaced' AND b.status <> 'replaced'
			AND NOT (c.status = 'ended' AND c.renew_on = c.starts_on + 1) AND NOT (b.status = 'ended' AND b.renew_on = b.starts_on + 1) WHERE {c}`},
		{"dates follow the terms", `SELECT c.franchiser_id FROM subscriptions c WHERE {c} AND c.paid_until <>
			(SELECT max(t.renew_on) FROM terms t WHERE t.subscription_id = c.id AND t.status <> 'replaced')`},
		{"add-ons belong to the plan", `SELECT c.franchiser_id FROM subscription_add_ons c JOIN subscriptions s ON s.id = c.subscription_id
			JOIN plan_add_ons p ON p.id = c.add_on_id
			WHERE {c} AND c.ended_on IS NULL AND c.next_billing_cycle_status = 1 AND NOT c.once AND s.state = 'active'
				AND s.paid_until = s.renew_on AND p.service_id <> s.service_id`},
		{"add-ons end within what is paid", `SELECT c.franchiser_id FROM subscription_add_ons c
			JOIN subscriptions s ON s.id = c.subscription_id WHERE {c} AND c.ended_on IS NULL AND c.paid_until > s.paid_until`},
		// except for goodwill, and for a running term whose next one is paid
		{"what was given back has ended", `SELECT c.franchiser_id FROM terms c JOIN subscriptions s ON s.id = c.subscription_id
			JOIN payments p ON p.order_id = c.order_id AND p.state = 'refunded' AND NOT p.surplus
			WHERE {c} AND s.state = 'active' AND c.renew_on > $1::date
				AND (c.status = 'scheduled' OR c.status = 'current' AND s.paid_until = s.renew_on)
				AND NOT ` + keptLast + `
				-- what earlier payments paid of an upgrade has to be back as well
				AND (SELECT coalesce(sum(r.amount_paise), 0) FROM refunds r WHERE r.payment_id = p.id AND r.state = 'done'
					AND r.gateway_payment_id = p.gateway_payment_id)
					>= p.captured_paise + (SELECT coalesce(sum(n.total_paise), 0) FROM invoices n WHERE n.applied_payment_id = p.id)`},
		{"add-ons that were given back have ended", `SELECT c.franchiser_id FROM subscription_add_ons c JOIN orders o ON o.id = c.order_id
			JOIN payments p ON p.order_id = o.id AND p.state = 'refunded' AND NOT p.surplus
			WHERE {c} AND o.kind = 'add_on' AND c.ended_on IS NULL AND c.paid_until > $1::date AND c.paid_until <= o.renew_on
				AND NOT ` + keptLast + `
				-- an upgrade took it over
				AND NOT EXISTS (SELECT FROM orders u WHERE u.franchiser_id = c.franchiser_id AND u.kind = 'upgrade' AND u.paid_at >= o.paid_at)`},
		{"nothing ends before all is back", `SELECT c.franchiser_id FROM subscription_events c
			WHERE {c} AND c.kind = 'revoked' AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = c.order_id AND NOT p.surplus
				-- with what a bank took although it was on its way back already
				AND p.captured_paise <= (SELECT coalesce(sum(r.amount_paise), 0) FROM refunds r WHERE r.payment_id = p.id
					AND r.gateway_payment_id = p.gateway_payment_id AND r.state = 'done')
					+ (SELECT coalesce(sum(l.debit_paise), 0) FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
						WHERE j.payment_id = p.id AND j.kind = 'chargeback_loss' AND l.account = 'chargebacks')
				AND (EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.state = 'lost') OR EXISTS (SELECT FROM refunds r
					WHERE r.payment_id = p.id AND NOT r.keep_plan AND r.state = 'done')))
			-- or what had gone into an upgrade was given back all the same
			AND NOT EXISTS (SELECT FROM payments p JOIN ledger_journals j ON j.payment_id = p.id AND j.kind = 'refund_loss'
				WHERE p.order_id = c.order_id)
			-- or staff cancelled it, for what was unused
			AND NOT EXISTS (SELECT FROM refunds r WHERE r.franchiser_id = c.franchiser_id AND r.created_at = c.at
				AND r.printed_reason = 'Plan cancelled: the unused part')`},
		{"an order is revoked once", `SELECT franchiser_id FROM subscription_events c WHERE {c} AND kind = 'revoked'
			GROUP BY franchiser_id, order_id HAVING count(*) > 1`},
		{"nothing is owed for an invoice", `SELECT franchiser_id FROM ledger_lines c WHERE {c} AND account = 'receivable'
			GROUP BY 1 HAVING sum(debit_paise) <> sum(credit_paise)`},
		{"what is owed back is on its way", `SELECT c.franchiser_id FROM (SELECT franchiser_id, sum(credit_paise - debit_paise) AS owed
				FROM ledger_lines c WHERE {c} AND account = 'customer_credit' GROUP BY 1) c
			-- a surplus can also come back otherwise: taken by the customer's bank, or given back at the gateway's own dashboard
			WHERE c.owed <> (SELECT coalesce(sum(x.owed), 0) FROM (
				SELECT CASE WHEN bool_or(p.surplus AND r.gateway_payment_id = p.gateway_payment_id) THEN max(p.captured_paise)
					ELSE max(r.amount_paise) FILTER (WHERE r.reason = 'surplus') END - coalesce(sum(r.amount_paise) FILTER (WHERE r.state = 'done'
					AND (r.reason = 'surplus' OR p.surplus OR r.gateway_payment_id <> p.gateway_payment_id)), 0) AS owed
				FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.franchiser_id = c.franchiser_id
				GROUP BY r.payment_id, r.gateway_payment_id) x)`},
	}...)
}

// documentRules compare refunds, credit notes and invoices with each other.
func documentRules() []rule {
	return []rule{
		// refunds by bank may also return what credit notes paid
		{"nothing goes back that did not come", `SELECT c.franchiser_id FROM refunds c JOIN payments p ON p.id = c.payment_id
			AND p.gateway_payment_id = c.gateway_payment_id WHERE {c} AND c.state <> 'failed'
			GROUP BY c.franchiser_id, p.id HAVING sum(c.amount_paise) FILTER (WHERE c.channel = 'gateway') > p.captured_paise
				OR sum(c.amount_paise) > p.captured_paise + (SELECT coalesce(sum(n.total_paise), 0) FROM invoices n
					WHERE n.applied_payment_id = p.id)`},
		{"notes stay within their invoice, per head", `SELECT c.franchiser_id FROM invoices c JOIN invoices n ON n.original_id = c.id
			WHERE {c} AND c.kind = 'invoice' GROUP BY c.franchiser_id, c.id HAVING sum(n.total_paise) > c.total_paise
				OR sum(n.cgst_paise) > c.cgst_paise OR sum(n.sgst_paise) > c.sgst_paise OR sum(n.utgst_paise) > c.utgst_paise
				OR sum(n.igst_paise) > c.igst_paise`},
		{"notes have the heads of their invoice", `SELECT c.franchiser_id FROM invoices c JOIN invoices o ON o.id = c.original_id
			WHERE {c} AND (c.regime, c.place_of_supply) <> (o.regime, o.place_of_supply)`},
		// the time limit of section 34(2): 30 November after the financial year of the invoice, by the date in India
		{"late notes carry no tax", `SELECT c.franchiser_id FROM invoices c JOIN invoices o ON o.id = c.original_id
			WHERE {c} AND c.kind = 'credit_note' AND c.commercial <> ((c.issued_at AT TIME ZONE 'Asia/Kolkata')::date >= make_date(
				extract(year FROM (o.issued_at AT TIME ZONE 'Asia/Kolkata') - interval '3 months')::int + 1, 12, 1))`},
		// invoices less credit notes equal receipts less refunds, except for losses; surplus, overpaid and held money
		// has no invoice
		{"money equals documents", `SELECT c.id AS franchiser_id FROM (SELECT DISTINCT franchiser_id AS id, franchiser_id FROM payments c WHERE {c}) c
			WHERE (SELECT coalesce(sum(CASE i.kind WHEN 'invoice' THEN i.total_paise ELSE -i.total_paise END), 0) FROM invoices i
					WHERE i.franchiser_id = c.id AND i.kind IN ('invoice', 'credit_note'))
				<> (SELECT coalesce(sum(p.captured_paise), 0) FROM payments p
					WHERE p.franchiser_id = c.id AND p.state IN ('paid', 'refunded') AND NOT p.surplus)
				- (SELECT coalesce(sum(l.credit_paise), 0) FROM payments p JOIN ledger_journals j ON j.reference = p.id::text
					JOIN ledger_lines l ON l.journal_id = j.id
					WHERE p.franchiser_id = c.id AND j.kind = 'extra_capture' AND NOT p.surplus)
				- (SELECT coalesce(sum(r.amount_paise), 0) FROM refunds r JOIN payments p ON p.id = r.payment_id
					WHERE r.franchiser_id = c.id AND r.state = 'done' AND r.reason <> 'surplus' AND NOT p.surplus)
				+ (SELECT coalesce(sum(l.debit_paise), 0) FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
					WHERE j.franchiser_id = c.id AND j.kind = 'refund_loss')
				+ (SELECT coalesce(sum(l.debit_paise - l.credit_paise), 0) FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
					WHERE j.franchiser_id = c.id AND j.kind = 'rounding' AND l.account = 'rounding')`},
	}
}

// calendarRule holds once the sweeps have run today.
// deliveryRules compare the ledger of deliveries with what was bought.
func deliveryRules() []rule {
	return []rule{
		{"what is bought is delivered", `SELECT c.franchiser_id FROM held_overview c ` + heldItems("c") + ` LEFT JOIN plan_deliveries p ON p.item = x.item
			WHERE {c} AND coalesce(p.how, 'staff') <> 'limit'
				AND NOT EXISTS (SELECT FROM deliveries d WHERE d.franchiser_id = c.franchiser_id AND d.item = x.item AND d.state <> 'ended')`},
		{"nothing else is delivered", `SELECT c.franchiser_id FROM deliveries c WHERE {c} AND c.state <> 'ended'
			AND NOT EXISTS (SELECT FROM held_overview h ` + heldItems("h") + ` WHERE h.franchiser_id = c.franchiser_id AND x.item = c.item)`},
	}
}

// heldItems joins the features and add-ons of a row of held_overview.
func heldItems(held string) string {
	return strings.ReplaceAll(`CROSS JOIN LATERAL (SELECT {h}.key WHERE {h}.key IS NOT NULL
		UNION ALL SELECT i.item FROM plan_items({h}.catalogue_revision, {h}.plan_id) i WHERE {h}.key IS NULL) x (item)`, "{h}", held)
}

func calendarRule() rule {
	return rule{"the state follows the calendar", fmt.Sprintf(`SELECT franchiser_id FROM subscriptions c WHERE {c} AND NOT CASE
		WHEN state IN ('trialing', 'active') THEN $1::date < renew_on
		WHEN state = 'grace' THEN $1::date >= renew_on AND $1::date < renew_on + %d + grace_extra
		WHEN state = 'expired' THEN $1::date >= expired_on AND $1::date < expired_on + %d
		ELSE $1::date >= expired_on + %d END`, subscription.GraceDays, subscription.LapseDays, subscription.LapseDays)}
}

// ask combines all rules into one query that returns each broken rule with one franchiser that breaks it.
func ask(condition string, list []rule) string {
	parts := make([]string, 0, len(list))
	for _, r := range list {
		parts = append(parts, fmt.Sprintf(`SELECT '%s' AS rule, min(x.franchiser_id::text) AS whose, count(*) AS n FROM (%s) x HAVING count(*) > 0`,
			r.name, strings.ReplaceAll(r.query, "{c}", condition)))
	}
	return strings.Join(parts, "\nUNION ALL\n")
}

// Broken is a violated rule.
type Broken struct {
	Rule  string `db:"rule"`
	Whose string `db:"whose"`
	Count int    `db:"n"`
}

func (b Broken) String() string {
	return fmt.Sprintf("%s: broken for %d, such as %s", b.Rule, b.Count, b.Whose)
}

// Hold checks all rules for these franchisers, or for all if none are given, and returns the broken ones. The state is
// only compared with the calendar if swept reports that the sweeps have run today.
func (w *World) Hold(ctx context.Context, swept bool, franchiserIDs ...string) ([]Broken, error) {
	list := rules()
	if swept {
		list = append(list, calendarRule())
	}
	today := subscription.DayOf(w.Clock.Now())
	var broken []Broken
	var err error
	if len(franchiserIDs) == 0 {
		err = w.Owner.SelectContext(ctx, &broken, ask("$1::date IS NOT NULL", list), today)
	} else {
		query := ask("c.franchiser_id = ANY ($2::uuid[]) AND $1::date IS NOT NULL", list)
		err = w.holdPrepared(ctx, &broken, query, today, pq.Array(franchiserIDs))
	}
	if err != nil {
		return nil, fmt.Errorf("check rules: %w", err)
	}
	return broken, nil
}

// holdPrepared uses a prepared statement: planning such a long query takes longer than running it.
func (w *World) holdPrepared(ctx context.Context, broken *[]Broken, query string, args ...any) error {
	w.mu.Lock()
	stmt, err := w.prepared[query], error(nil)
	if stmt == nil {
		stmt, err = w.Owner.PreparexContext(ctx, query)
		w.prepared[query] = stmt
	}
	w.mu.Unlock()
	if err != nil {
		return fmt.Errorf("prepare rules: %w", err)
	}
	return stmt.SelectContext(ctx, broken, args...)
}
