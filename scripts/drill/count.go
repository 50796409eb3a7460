package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// settleLimit is how long all effects of a payment may take to appear.
const settleLimit = 3 * time.Minute

// verdict is the result of the independent count: the gateway's records against orders, books, invoices and documents.
type verdict struct {
	bought, lost, doubled int
	resent                int // texts that the provider received more than once
	problems              []string
}

// captured returns the gateway's captures, by transaction.
func (f *form) captured(ctx context.Context) (map[string]int, error) {
	var list []struct {
		TxnID  string `json:"txnid"`
		Status string `json:"status"`
	}
	if err := f.get(ctx, f.read().Gateway+"/sandbox/payments", &list); err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for _, p := range list {
		if p.Status == "success" {
			taken[p.TxnID]++
		}
	}
	return taken, nil
}

// effectsSQL reads the effects of each payment: a plan, an order, an invoice, its document, and two entries in the books (the
// purchase and the gateway's capture; the bank's payout days later is no effect of this kind).
const effectsSQL = `
SELECT p.transaction_id AS transaction, p.state = 'paid' AS paid, o.state = 'paid' AS ordered,
  (SELECT count(*) FROM invoices i WHERE i.payment_id = p.id AND i.kind = 'invoice') AS invoices,
  (SELECT count(*) FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id WHERE i.payment_id = p.id) AS documents,
  (SELECT count(*) FROM subscriptions s WHERE s.franchiser_id = p.franchiser_id AND s.state = 'active') AS plans,
  (SELECT count(*) FROM ledger_journals j WHERE j.franchiser_id = p.franchiser_id AND j.kind <> 'settlement') AS journals,
  (SELECT count(*) FROM payments o WHERE o.franchiser_id = p.franchiser_id AND o.state = 'paid') AS payments,
  (SELECT count(*) FROM refunds r WHERE r.franchiser_id = p.franchiser_id) AS refunds
FROM payments p JOIN orders o ON o.id = p.order_id`

type effect struct {
	Transaction string `db:"transaction"`
	Paid        bool   `db:"paid"`
	Ordered     bool   `db:"ordered"`
	Invoices    int    `db:"invoices"`
	Documents   int    `db:"documents"`
	Plans       int    `db:"plans"`
	Journals    int    `db:"journals"`
	Payments    int    `db:"payments"` // that are paid, of the same customer
	Refunds     int    `db:"refunds"`
}

func (e effect) whole() bool {
	return e.Paid && e.Ordered && e.Invoices > 0 && e.Documents > 0 && e.Plans > 0 && e.Journals >= 2*max(e.Payments, 1)
}

func (e effect) doubled(captures int) bool {
	return e.Paid && captures == 0 || e.Invoices > 1 || e.Documents > 1 || e.Plans > 1 || e.Journals > 2*max(e.Payments, 1) || e.Refunds > 0
}

// count compares until nothing is missing or the time is up. before holds the gateway's earlier captures.
func (f *form) count(ctx context.Context, before map[string]int) (verdict, error) {
	for deadline := time.Now().Add(settleLimit); ; {
		v, err := f.compare(ctx, before)
		if err == nil && v.lost == 0 || time.Now().After(deadline) || ctx.Err() != nil {
			return v, err
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func (f *form) compare(ctx context.Context, before map[string]int) (v verdict, err error) {
	taken, err := f.captured(ctx)
	if err != nil {
		return v, err
	}
	var effects []effect
	if err := f.db.SelectContext(ctx, &effects, effectsSQL); err != nil {
		return v, fmt.Errorf("read what was bought: %w", err)
	}
	whole := map[string]bool{}
	for _, e := range effects {
		whole[e.Transaction] = e.whole()
		if e.doubled(taken[e.Transaction]) && before[e.Transaction] == 0 {
			v.doubled++
			v.problems = append(v.problems, fmt.Sprintf("twice: %+v", e))
		}
	}
	for transaction, captures := range taken {
		if before[transaction] > 0 {
			continue
		}
		v.bought++
		if !whole[transaction] {
			v.lost++
			v.problems = append(v.problems, "lost: "+transaction)
		}
		if captures > 1 {
			v.doubled++
			v.problems = append(v.problems, "captured twice: "+transaction)
		}
	}
	return v, nil
}

// inspect checks the whole: invoice numbers without gaps, no discarded job, consistent books.
func (f *form) inspect(ctx context.Context) (problems []string) {
	for what, query := range map[string]string{
		"gaps in the numbers of invoices": `SELECT count(*) FROM (
			SELECT max(sequence) - min(sequence) + 1 - count(*) AS missing, min(sequence) AS first FROM invoices GROUP BY series, financial_year
		) s WHERE missing <> 0 OR first <> 1`,
		"jobs given up": `SELECT count(*) FROM river_job WHERE state = 'discarded'`,
	} {
		var n int
		if err := f.db.GetContext(ctx, &n, query); err != nil {
			problems = append(problems, what+": "+err.Error())
		} else if n > 0 {
			problems = append(problems, fmt.Sprintf("%d %s", n, what))
		}
	}
	if out, err := f.admin(ctx, "verifybooks"); err != nil {
		problems = append(problems, "verify-books: "+out)
	}
	return problems
}

// repeatedTexts counts the messages that the provider received more than once for one number.
func (f *form) repeatedTexts(ctx context.Context, paid []purchase) (repeated int) {
	for _, p := range paid {
		var texts []struct {
			Body string `json:"body"`
		}
		if err := f.get(ctx, f.read().SMSInbox+"/messages?mobile="+url.QueryEscape(p.mobile), &texts); err != nil {
			f.note("read the inbox: %v", err)
			continue
		}
		seen := map[string]bool{}
		for _, t := range texts {
			if seen[t.Body] {
				repeated++
			}
			seen[t.Body] = true
		}
	}
	return repeated
}

// jobsOf logs the state of a lost payment's jobs.
func (f *form) jobsOf(ctx context.Context, problems []string) {
	for _, problem := range problems {
		transaction, ok := strings.CutPrefix(problem, "lost: ")
		if !ok {
			continue
		}
		var jobs json.RawMessage
		err := f.db.GetContext(ctx, &jobs, `SELECT coalesce(json_agg(json_build_object('kind', j.kind, 'state', j.state, 'attempt', j.attempt,
			'errors', j.errors)), '[]') FROM river_job j JOIN payments p ON j.metadata ->> 'payment_id' = p.id::text WHERE p.transaction_id = $1`, transaction)
		f.note("%s: %s %v", transaction, jobs, err)
	}
}
