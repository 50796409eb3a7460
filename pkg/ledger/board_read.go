package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Board returns every rule of the books with its last result and trend. For staff.
func (s *Service) Board(ctx context.Context) (Board, error) {
	var b Board
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		last, err := LastCheckTx(ctx, tx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		b.Last = &last
		b.Invariants, err = invariantsTx(ctx, tx, last.ID)
		return err
	})
	return b, err
}

func invariantsTx(ctx context.Context, tx *sqlx.Tx, checkID string) ([]Invariant, error) {
	var results []struct {
		Invariant string `db:"invariant"`
		Findings  int    `db:"findings"`
		Rows      []byte `db:"rows"`
	}
	if err := tx.SelectContext(ctx, &results, resultsSQL, checkID); err != nil {
		return nil, fmt.Errorf("read results of the books: %w", err)
	}
	var points []struct {
		Point

		Invariant string `db:"invariant"`
	}
	if err := tx.SelectContext(ctx, &points, trendSQL); err != nil {
		return nil, fmt.Errorf("read trend of the books: %w", err)
	}
	trends := map[string][]Point{}
	for _, p := range points {
		trends[p.Invariant] = append(trends[p.Invariant], Point{At: p.At.UTC(), Findings: p.Findings})
	}
	list := make([]Invariant, 0, len(results))
	for _, r := range results {
		one := Invariant{Name: r.Invariant, Findings: r.Findings, Trend: trends[r.Invariant]}
		var rows []struct{ Subject, Detail string }
		if err := json.Unmarshal(r.Rows, &rows); err != nil {
			return nil, fmt.Errorf("read rows of %s: %w", r.Invariant, err)
		}
		for _, row := range rows {
			one.Rows = append(one.Rows, Finding{Check: r.Invariant, Subject: row.Subject, Detail: row.Detail})
		}
		list = append(list, one)
	}
	order := Invariants()
	slices.SortFunc(list, func(a, b Invariant) int {
		if broken := cmp.Compare(b.Findings, a.Findings); broken != 0 {
			return broken
		}
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return list, nil
}
