package settlement

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// maxOpen limits the open lines and differences in one report.
const maxOpen = 200

// Report lists the comparisons of the days from first to last, and everything open. For staff.
func (s *Service) Report(ctx context.Context, first, last subscription.Day) (Report, error) {
	var r Report
	err := postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if r.Days, err = s.store.settlements(ctx, tx, first, last); err != nil {
			return err
		}
		if r.Open, err = s.store.openLines(ctx, tx, "", maxOpen); err != nil {
			return err
		}
		if r.OpenDifferences, err = s.store.differences(ctx, tx, openDifferencesSQL, maxOpen); err != nil {
			return err
		}
		r.Acknowledged, err = s.store.differences(ctx, tx, acknowledgedSQL, maxOpen)
		return err
	})
	return r, err
}

// CountOpen returns how many differences are open.
func (s *Service) CountOpen(ctx context.Context) (int, error) {
	var n int
	if err := s.db.GetContext(ctx, &n, countOpenSQL); err != nil {
		return 0, fmt.Errorf("count open differences: %w", postgres.Error(err))
	}
	return n, nil
}

// LastCompared returns the number of open differences, and the oldest time, over all gateways, of the last complete comparison. The time
// is nil if a gateway was never compared. UTC.
func (s *Service) LastCompared(ctx context.Context) (open int, at *time.Time, err error) {
	names := make([]string, 0, len(s.gateways))
	for _, g := range s.gateways {
		names = append(names, g.Name())
	}
	var last struct {
		Open int        `db:"open"`
		At   *time.Time `db:"at"`
	}
	if err := s.db.GetContext(ctx, &last, lastJudgedSQL, pq.Array(names)); err != nil {
		return 0, nil, fmt.Errorf("read the last comparison: %w", postgres.Error(err))
	}
	if last.At != nil {
		utc := last.At.UTC()
		last.At = &utc
	}
	return last.Open, last.At, nil
}

// Day returns one day's comparison with every line and difference, or errs.NotFound. For staff.
func (s *Service) Day(ctx context.Context, gateway string, day subscription.Day) (ComparedDay, error) {
	var found ComparedDay
	err := postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		days, err := s.store.settlements(ctx, tx, day, day)
		if err != nil {
			return err
		}
		for _, d := range days {
			if d.Gateway == gateway {
				found = d
				found.All, err = s.store.settlementLines(ctx, tx, gateway, day)
				return err
			}
		}
		return errs.NotFound()
	})
	return found, err
}

// OfTransaction lists the settlement lines of one transaction, oldest first. For staff.
func (s *Service) OfTransaction(ctx context.Context, gateway, transactionID string) ([]StoredLine, error) {
	var list []StoredLine
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		list, err = s.store.linesOf(ctx, tx, gateway, transactionID)
		return err
	})
	return list, err
}
