package settlement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// compareAgain is for how many days after a settlement it is re-read, because gateways add lines late. A later run also re-reads a
	// settlement whose last reading was within that time.
	compareAgain = 7
	// maxSilent is after how many consecutive days without an answer a comparison gives up until the next run.
	maxSilent = 3
)

// Compare reads and compares the settlements of a job: one day of a gateway, everything open at a gateway, or, if the job names neither,
// every day of every gateway that was not compared yet, or compared too soon. It runs with the worker's role.
func (s *Service) Compare(ctx context.Context, args CompareArgs) error {
	named := func(g Gateway) bool { return args.Gateway == "" || args.Gateway == g.Name() }
	if !slices.ContainsFunc(s.gateways, named) {
		return errs.Internal(fmt.Errorf("%w: %s", payment.ErrGatewayMissing, args.Gateway))
	}
	var failed []error
	for _, g := range s.gateways {
		if !named(g) {
			continue
		}
		if args.Day != 0 {
			_, err := s.CompareDay(ctx, g, args.Day)
			return err
		}
		since, err := s.fetchDue(ctx, g)
		failed = append(failed, err)
		if since != 0 {
			_, err = s.compareOpen(ctx, g.Name(), since)
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// fetchDue reads the settlements of every day since the first comparison that were not read, or read too soon to be complete. The next
// run retries a failed day; other days continue. It returns the first of the days.
func (s *Service) fetchDue(ctx context.Context, g Gateway) (first subscription.Day, err error) {
	var days []subscription.Day
	yesterday := subscription.DayOf(s.clock.Now()) - 1
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		days, err = s.store.daysToFetch(ctx, tx, g.Name(), yesterday)
		return err
	})
	if err != nil || len(days) == 0 {
		return 0, err
	}
	var failed []error
	silent := 0
	for _, day := range days {
		if err := s.fetch(ctx, g, day); err != nil {
			failed = append(failed, fmt.Errorf("settlement of %s: %w", day, err))
			if silent++; silent == maxSilent {
				break
			}
			continue
		}
		silent = 0
	}
	return days[0], errors.Join(failed...)
}

// fetch reads a day's settlement, stores each line once, and keeps the gateway's latest answer.
func (s *Service) fetch(ctx context.Context, g Gateway, day subscription.Day) error {
	lines, err := g.Settlements(ctx, day.String())
	if err != nil {
		return err
	}
	report := ComparedDay{Gateway: g.Name(), Day: day, Lines: len(lines), ComparedAt: s.clock.Now()}
	named := make(map[string]bool, len(lines))
	for _, l := range lines {
		if l.ID == "" || len(l.ID) > 80 || named[l.ID] {
			return errs.Unavailable(fmt.Errorf("a settlement line without a name of its own: %q", l.ID))
		}
		named[l.ID] = true
		report.add(l)
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := s.store.lockSettlements(ctx, tx, g.Name()); err != nil {
			return err
		}
		return s.store.saveSettlement(ctx, tx, report, lines)
	})
}

// CompareDay re-reads one day's settlement and compares everything open at the gateway. It returns the day and, as its
// Differences, all current differences.
func (s *Service) CompareDay(ctx context.Context, g Gateway, day subscription.Day) (ComparedDay, error) {
	if err := s.fetch(ctx, g, day); err != nil {
		return ComparedDay{}, err
	}
	open, err := s.compareOpen(ctx, g.Name(), day)
	if err != nil {
		return ComparedDay{}, err
	}
	report, err := s.Day(ctx, g.Name(), day)
	report.Differences = open
	return report, err
}

// compareOpen checks every unbooked line, every open difference and every settlement that is due, for captures up to lookBack before
// since. It books matching lines, clears differences that no longer exist, and returns the current ones.
func (s *Service) compareOpen(ctx context.Context, gateway string, since subscription.Day) ([]Difference, error) {
	var found []Difference
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := s.store.lockSettlements(ctx, tx, gateway); err != nil {
			return err
		}
		lines, err := s.store.linesToJudge(ctx, tx, gateway)
		if err != nil {
			return err
		}
		if found, err = s.judgeTx(ctx, tx, gateway, lines); err != nil {
			return err
		}
		late, err := s.lateTx(ctx, tx, gateway, since)
		if err != nil {
			return err
		}
		found = append(found, late...)
		now := s.clock.Now()
		if err := s.store.judged(ctx, tx, gateway, now); err != nil {
			return err
		}
		return s.store.saveDifferences(ctx, tx, gateway, found, now)
	})
	if err == nil && len(found) > 0 {
		s.logger.WarnContext(ctx, "settlement differs from the books", slog.String("gateway", gateway), slog.Int("differences", len(found)))
	}
	return found, err
}

func (s *Service) judgeTx(ctx context.Context, tx *sqlx.Tx, gateway string, lines []StoredLine) ([]Difference, error) {
	known, err := s.knownTx(ctx, tx, gateway, lines)
	if err != nil {
		return nil, err
	}
	var found []Difference
	for _, line := range lines {
		p, r := known.of(line)
		if p != nil && line.TransactionID == "" {
			line.TransactionID = p.TransactionID
		}
		v := judge(line, p, r)
		found = append(found, v.Differences...)
		if v.unheard(line) && p != nil {
			if err := s.ask(ctx, tx, p.FranchiserID, p.PaymentID); err != nil {
				return nil, err
			}
		}
		if line.BookedAt != nil {
			continue
		}
		if v.Book {
			if err := s.bookTx(ctx, tx, line, p); err != nil {
				return nil, err
			}
			continue
		}
		if v.Waits == "" {
			v.Waits = string(v.Differences[0].Kind)
		}
		if err := s.store.lineWaits(ctx, tx, line, v.Waits); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// bookTx books a line once. A line that moves nothing has no journal.
func (s *Service) bookTx(ctx context.Context, tx *sqlx.Tx, line StoredLine, p *settled) error {
	entry := line.entry(p)
	if len(entry.Lines) > 0 {
		if err := s.ledger.PostTx(ctx, tx, entry); err != nil {
			return fmt.Errorf("book settlement line %s: %w", line.ID, err)
		}
	}
	journalID, err := s.ledger.JournalIDTx(ctx, tx, entry)
	if err != nil {
		return err
	}
	if p != nil && line.Kind == KindCapture {
		p.Booked[line.GatewayPaymentID] = line.ID
	}
	return s.store.lineBooked(ctx, tx, line, journalID, s.clock.Now())
}
