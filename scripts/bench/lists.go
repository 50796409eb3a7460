package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// The orders of one franchiser, and of all others together.
const (
	listRows    = 100_000
	listOthers  = 900_000
	listSamples = 200
	farPage     = 5000
	pageRows    = 10
)

const fillOrdersSQL = `
	INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, base_revision, catalogue_revision, plan_id, service_id,
		plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient, taxable_paise, cgst_paise,
		sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at)
	SELECT uuidv7(), %s, 'renewal', 'superseded', sha256('x'), n, 1, s.plan_id, s.id, 'Start up', 'Expansion', 'monthly', '{}', '{}',
		'2026-11-21', '2026-12-21', '{"name":"Bench"}', 1250000, 112500, 112500, 0, 0, 1475000, 0, 'start up expansion renewal monthly',
		timestamptz '2026-01-01' + n * interval '1 minute'
	FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s, generate_series(1, %d) n`

// lists reads one franchiser's orders through the product's own service under row-level security.
type lists struct {
	payments   *history.Service
	franchiser string
}

func openLists(ctx context.Context, s stack) (*lists, func(), error) {
	x, err := openScratch(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	l := &lists{franchiser: id.New()}
	if err := x.fill(ctx, fmt.Sprintf(fillOrdersSQL, "'"+l.franchiser+"'", listRows), fmt.Sprintf(fillOrdersSQL, "uuidv7()", listOthers)); err != nil {
		x.end()
		return nil, nil, err
	}
	logger := slog.New(slog.DiscardHandler)
	now := clock.NewFake(time.Now())
	billing, err := x.billing(x.API, now, logger)
	if err != nil {
		x.end()
		return nil, nil, err
	}
	l.payments = billing.Payments.History
	return l, x.end, nil
}

// read times one page, including the count that is part of every page.
func (l *lists) read(ctx context.Context, q history.Query) (took float64, last history.Cursor, err error) {
	q.Limit = pageRows
	begun := time.Now()
	rows, total, err := l.payments.Orders(ctx, l.franchiser, q)
	took = float64(time.Since(begun).Microseconds()) / 1000
	if err != nil {
		return 0, last, err
	}
	if len(rows) != pageRows || total != payment.CountCap {
		return 0, last, fmt.Errorf("%d rows of %d", len(rows), total)
	}
	return took, rows[len(rows)-1].Place, nil
}

// listPages compares, in alternation, a page far down the list with the first page; the note says how long a far jump takes
// (limit 20 ms) and how far it counts.
func listPages(ctx context.Context, s stack) (result, error) {
	l, end, err := openLists(ctx, s)
	if err != nil {
		return result{}, err
	}
	defer end()
	_, place, err := l.read(ctx, history.Query{Offset: (farPage - 2) * pageRows})
	if err != nil {
		return result{}, err
	}
	var next, first, jump []float64
	for range listSamples {
		for q, into := range map[*history.Query]*[]float64{
			{After: &place}: &next, {}: &first, {Offset: (farPage - 1) * pageRows}: &jump,
		} {
			took, _, err := l.read(ctx, *q)
			if err != nil {
				return result{}, err
			}
			*into = append(*into, took)
		}
	}
	r := atMost(next, first, 2, fmt.Sprintf("far jump %.1f ms (≤ 20), counted to %d", median(jump), payment.CountCap))
	r.Met = r.Met && median(jump) <= 20
	return r, nil
}
