package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/franchise360/franchise360/pkg/figures"
)

// count counts the figures as every night does, the months alone that changed since the count before, and takes what differs from the rows
// as a finding.
func (l *life) count(ctx context.Context) error {
	run, err := figures.NewCounter(l.db.Worker, l.world.Clock).Count(ctx)
	if err != nil {
		return fmt.Errorf("count the figures: %w", err)
	}
	for _, f := range run.Findings {
		l.findings = append(l.findings, fmt.Sprintf("figures: %s (%s)", f.Subject, f.Detail))
	}
	return nil
}

// keptFigures are the tables in which one count of all years must leave the same rows as monthly counts.
func keptFigures() []string {
	return []string{"figure_months", "figure_cohorts", "figure_trials", "figure_failures"}
}

// recount drops the figures, counts all years at once and compares.
func (l *life) recount(ctx context.Context) error {
	if err := l.count(ctx); err != nil {
		return err
	}
	before := map[string][]string{}
	for _, table := range keptFigures() {
		rows, err := l.rowsOf(ctx, table)
		if err != nil {
			return err
		}
		before[table] = rows
	}
	for _, table := range append(keptFigures(), "figure_runs") {
		if _, err := l.db.Owner.ExecContext(ctx, "DELETE FROM "+table); err != nil {
			return fmt.Errorf("drop the figures: %w", err)
		}
	}
	if err := l.count(ctx); err != nil {
		return err
	}
	compared, differ := 0, 0
	for _, table := range keptFigures() {
		after, err := l.rowsOf(ctx, table)
		if err != nil {
			return err
		}
		compared += len(after)
		for _, row := range differing(before[table], after) {
			differ++
			l.findings = append(l.findings, "figures: "+table+": "+row)
		}
	}
	fmt.Fprintf(l.out, "figures: %d rows as the counts of all months left them, compared with one count of all years, %d differ\n", compared, differ)
	return l.found("after the last year")
}

func (l *life) rowsOf(ctx context.Context, table string) (rows []string, err error) {
	if err := l.db.Owner.SelectContext(ctx, &rows, "SELECT to_jsonb(f)::text FROM "+table+" f ORDER BY 1"); err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	return rows, nil
}

// differing returns the rows of only one of two sorted lists.
func differing(a, b []string) (rows []string) {
	for _, one := range a {
		if _, found := slices.BinarySearch(b, one); !found {
			rows = append(rows, "only month by month: "+one)
		}
	}
	for _, one := range b {
		if _, found := slices.BinarySearch(a, one); !found {
			rows = append(rows, "only at once: "+one)
		}
	}
	return rows
}
