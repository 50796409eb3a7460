package main

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/franchise360/franchise360/pkg/settlement"
)

// count is one total of the simulation.
type count struct {
	Name string `db:"name"`
	N    int64  `db:"n"`
}

const countsSQL = `
	SELECT name, n FROM (SELECT 1 AS position, 'payments' AS name, count(*) AS n FROM payments
		UNION ALL SELECT 2, 'invoices', count(*) FROM invoices WHERE kind = 'invoice'
		UNION ALL SELECT 3, 'credit notes', count(*) FROM invoices WHERE kind = 'credit_note'
		UNION ALL SELECT 4, 'refunds', count(*) FROM refunds
		UNION ALL SELECT 5, 'lost disputes', count(*) FROM disputes WHERE state = 'lost'
		UNION ALL SELECT 6, 'journals', count(*) FROM ledger_journals) c ORDER BY position`

const standingsSQL = `
	SELECT x.name, x.n FROM (SELECT 'subscriptions ' || state AS name, count(*) AS n FROM subscriptions GROUP BY state
		UNION ALL SELECT 'payments ' || state, count(*) FROM payments GROUP BY state
		UNION ALL SELECT 'events ' || kind, count(*) FROM subscription_events GROUP BY kind
		UNION ALL SELECT 'journals ' || kind, count(*) FROM ledger_journals GROUP BY kind
		UNION ALL SELECT 'series ' || series || '/' || financial_year, last FROM invoice_counters) x ORDER BY x.name`

// sizesSQL reads the size of the largest tables, indexes included, after the simulated years.
const sizesSQL = `
	SELECT c.relname AS name, c.reltuples::bigint AS rows, pg_total_relation_size(c.oid) AS bytes
	FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.reltuples > 0
	ORDER BY bytes DESC LIMIT 24`

// sizes prints the growth of the tables: rows and kilobytes per customer and year.
func (l *life) sizes(ctx context.Context) error {
	if _, err := l.db.Owner.ExecContext(ctx, `VACUUM ANALYZE`); err != nil {
		return fmt.Errorf("count the rows: %w", err)
	}
	var list []struct {
		Name  string `db:"name"`
		Rows  int64  `db:"rows"`
		Bytes int64  `db:"bytes"`
	}
	if err := l.db.Owner.SelectContext(ctx, &list, sizesSQL); err != nil {
		return fmt.Errorf("measure the tables: %w", err)
	}
	table := tabwriter.NewWriter(l.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "table\trows\tKB\trows a customer and year\tKB a customer and year\t")
	lives := float64(l.tenants * l.years)
	for _, t := range list {
		fmt.Fprintf(table, "%s\t%d\t%d\t%.1f\t%.1f\t\n", t.Name, t.Rows, t.Bytes>>10, float64(t.Rows)/lives, float64(t.Bytes)/1024/lives)
	}
	return table.Flush()
}

func (l *life) counts(ctx context.Context, query string) ([]count, error) {
	var list []count
	if err := l.db.Owner.SelectContext(ctx, &list, query); err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	return list, nil
}

// report prints one line per year.
func (l *life) report(ctx context.Context, year int) error {
	list, err := l.counts(ctx, countsSQL)
	if err != nil {
		return err
	}
	parts := make([]string, 0, len(list))
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, c.Name))
	}
	fmt.Fprintf(l.out, "year %2d  %s, findings=%d  (%s)\n", year, strings.Join(parts, ", "), len(l.findings),
		time.Since(l.began).Round(time.Second))
	return nil
}

// sum prints the totals.
func (l *life) sum(ctx context.Context) error {
	list, err := l.counts(ctx, standingsSQL)
	if err != nil {
		return err
	}
	steps, refused, total := map[string]int{}, 0, 0
	for _, p := range l.people {
		refused += p.Refused
		for name, n := range p.steps {
			steps[name] += n
			total += n
		}
	}
	table := tabwriter.NewWriter(l.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	names := make([]string, 0, len(steps))
	for name := range steps {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(table, "step %s\t%d\t\n", name, steps[name])
	}
	for _, c := range list {
		fmt.Fprintf(table, "%s\t%d\t\n", c.Name, c.N)
	}
	for _, kind := range settlement.DifferenceKinds() {
		fmt.Fprintf(table, "settlement differs: %s\t%d\t\n", kind, l.differences[kind])
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if err := l.sizes(ctx); err != nil {
		return err
	}
	fmt.Fprintf(l.out, "%d customers, %d years, seed %d: %d events, %d refused with a reason, %d jobs, %d settlement lines, %d outages, findings=%d, %s\n",
		l.tenants, l.years, l.seed, total, refused, l.world.Jobs(), l.settled, l.outages, len(l.findings), time.Since(l.began).Round(time.Second))
	return nil
}
