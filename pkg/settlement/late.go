package settlement

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// lookBack is how many days before the compared ones captures are checked for missing settlements. A capture that is still missing
	// later is already an open difference.
	lookBack = 31
	// takenAfter is how many days a gateway has to deduct the money of a lost dispute.
	takenAfter = 10
	// lateAtOnce is how many days of captures are read at once.
	lateAtOnce = 7
)

// lateTx finds the captures that should have been settled by the end of yesterday, by the banks' calendar, and the lost disputes whose
// money the gateway should have deducted by then.
func (s *Service) lateTx(ctx context.Context, tx *sqlx.Tx, gateway string, since subscription.Day) ([]Difference, error) {
	free, err := s.store.holidays(ctx, tx)
	if err != nil {
		return nil, err
	}
	last, err := s.store.lastCompared(ctx, tx, gateway)
	if err != nil || last == 0 {
		return nil, err
	}
	missing, err := s.unsettledTx(ctx, tx, gateway, since-lookBack, free.overdue(last))
	if err != nil {
		return nil, err
	}
	var late []Difference
	for _, p := range missing {
		late = append(late, missed(gateway, DifferenceNotSettled, p, free.due(subscription.DayOf(p.DecidedAt))))
	}
	if missing, err = s.untakenTx(ctx, tx, gateway, since-lookBack, last-takenAfter); err != nil {
		return nil, err
	}
	for _, p := range missing {
		late = append(late, missed(gateway, DifferenceDisputeNotTaken, p, subscription.DayOf(p.DecidedAt)+takenAfter))
	}
	return late, nil
}

// missed returns the difference for a payable that no settlement mentions, dated on the day it was due.
func missed(gateway string, kind DifferenceKind, p payment.Payable, due subscription.Day) Difference {
	return Difference{Gateway: gateway, Day: due, TransactionID: p.TransactionID, Kind: kind, Ours: p.Amount}
}

// unsettledTx finds the captures of the days, in Indian time, that no settlement has mentioned since. A reported capture stays missing
// until a settlement mentions it.
func (s *Service) unsettledTx(ctx context.Context, tx *sqlx.Tx, gateway string, first, last subscription.Day) ([]payment.Payable, error) {
	open, err := s.store.openOf(ctx, tx, gateway, DifferenceNotSettled)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	var missing []payment.Payable
	for from := first; from <= last || from == first; from += lateAtOnce {
		until := max(from, min(from+lateAtOnce, last+1))
		captures, err := s.payments.CapturedTx(ctx, tx, gateway, from.Start(), until.Start(), open)
		if err != nil {
			return nil, err
		}
		captures = slices.DeleteFunc(captures, func(p payment.Payable) bool { return asked[p.TransactionID] })
		for _, name := range open {
			asked[name] = true
		}
		found, err := s.store.unsettled(ctx, tx, gateway, captures)
		if err != nil {
			return nil, err
		}
		open, missing = nil, append(missing, found...)
	}
	return missing, nil
}

// untakenTx finds the disputes lost on the days for which the gateway deducted nothing. A reported dispute stays missing until the
// gateway deducts it.
func (s *Service) untakenTx(ctx context.Context, tx *sqlx.Tx, gateway string, first, last subscription.Day) ([]payment.Payable, error) {
	open, err := s.store.openOf(ctx, tx, gateway, DifferenceDisputeNotTaken)
	if err != nil {
		return nil, err
	}
	lost, err := s.payments.LostTx(ctx, tx, gateway, first.Start(), max(first, last+1).Start(), open)
	if err != nil {
		return nil, err
	}
	return s.store.untaken(ctx, tx, gateway, lost)
}
