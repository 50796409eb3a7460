package payment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// DifferenceKind says how a settlement and the books disagree.
type DifferenceKind string

// The ways to disagree. Not settled is a capture of which three days later no settlement speaks.
const (
	DifferenceUnknown       DifferenceKind = "unknown_to_us"
	DifferenceNotPaid       DifferenceKind = "not_paid_here"
	DifferenceNotSettled    DifferenceKind = "not_settled"
	DifferenceAmount        DifferenceKind = "capture_amount"
	DifferenceUnknownRefund DifferenceKind = "unknown_refund"
	DifferenceRefundAmount  DifferenceKind = "refund_amount"
	DifferenceNet           DifferenceKind = "net_amount"
)

// Meaning says in a sentence for staff what the difference is.
func (k DifferenceKind) Meaning() string {
	switch k {
	case DifferenceUnknown:
		return "The gateway settled a transaction that we do not know."
	case DifferenceNotPaid:
		return "The gateway settled a capture of which nobody told us. Ask the gateway about the payment again."
	case DifferenceNotSettled:
		return "We know of a capture that the gateway has not settled three days later."
	case DifferenceAmount:
		return "The gateway settled another amount than was captured."
	case DifferenceUnknownRefund:
		return "The gateway kept back a refund that we do not know, or know as not done."
	case DifferenceRefundAmount:
		return "The gateway kept back another amount than was refunded."
	case DifferenceNet:
		return "What was paid out is not the amount less fee and tax, or differs from what was paid out before."
	default:
		return ""
	}
}

// settlesWithin is how many days after the capture the gateway pays out at the latest.
const settlesWithin = 3

// compareBack is how many days a comparison catches up at most.
const compareBack = 31

// Difference is one disagreement; an amount is 0 where that side knows none.
type Difference struct {
	TransactionID string         `db:"transaction_id"`
	Kind          DifferenceKind `db:"kind"`
	Ours          money.Paise    `db:"ours_paise"`
	Theirs        money.Paise    `db:"theirs_paise"`
}

// SettlementDay is the comparison of one day's settlement with the books.
type SettlementDay struct {
	Gateway     string           `db:"gateway"`
	Day         subscription.Day `db:"day"`
	Lines       int              `db:"lines"`
	Captured    money.Paise      `db:"captured_paise"`
	Refunded    money.Paise      `db:"refunded_paise"`
	Fee         money.Paise      `db:"fee_paise"`
	Tax         money.Paise      `db:"tax_paise"`
	Net         money.Paise      `db:"net_paise"`
	ComparedAt  time.Time        `db:"compared_at"`
	Differences []Difference     `db:"-"`
	// All are the lines themselves, in the gateway's order; read for one day only.
	All []SettlementLine `db:"-"`
}

// settled is what we know of a transaction that a settlement names.
type settled struct {
	PaymentID        string      `db:"id"`
	FranchiserID     string      `db:"franchiser_id"`
	TransactionID    string      `db:"transaction_id"`
	State            State       `db:"state"`
	GatewayPaymentID string      `db:"gateway_payment_id"`
	Captured         money.Paise `db:"captured_paise"`
	// Others are the further captures of the transaction that are on their way back, by the gateway's names for them.
	Others map[string]money.Paise `db:"-"`
}

// capturedAs is what we know to be captured under the gateway's name, which older lines do not say.
func (s *settled) capturedAs(gatewayPaymentID string) (amount money.Paise, known bool) {
	if gatewayPaymentID == "" || gatewayPaymentID == s.GatewayPaymentID {
		return s.Captured, s.State == StatePaid || s.State == StateRefunded || s.State == StateHeld
	}
	amount, known = s.Others[gatewayPaymentID]
	return amount, known
}

// settledRefund is what we know of a refund that a settlement names.
type settledRefund struct {
	ID              string      `db:"id"`
	GatewayRefundID string      `db:"gateway_refund_id"`
	FranchiserID    string      `db:"franchiser_id"`
	PaymentID       string      `db:"payment_id"`
	State           RefundState `db:"state"`
	Amount          money.Paise `db:"amount_paise"`
}

// judge compares one line with what we know; known and refund are nil where we know nothing.
func judge(line SettlementLine, known *settled, refund *settledRefund) []Difference {
	d := Difference{TransactionID: line.TransactionID, Theirs: line.Amount}
	var captured money.Paise
	var paid bool
	if known != nil {
		captured, paid = known.capturedAs(line.GatewayPaymentID)
	}
	switch {
	case known == nil:
		d.Kind = DifferenceUnknown
	case line.Refund && (refund == nil || refund.State == RefundRequested || refund.State == RefundFailed):
		d.Kind = DifferenceUnknownRefund
	case line.Refund && refund.Amount != line.Amount:
		d.Kind, d.Ours = DifferenceRefundAmount, refund.Amount
	case !line.Refund && !paid:
		d.Kind = DifferenceNotPaid
	case !line.Refund && captured != line.Amount:
		d.Kind, d.Ours = DifferenceAmount, captured
	}
	var found []Difference
	if d.Kind != "" {
		found = append(found, d)
	}
	if net := line.net(); net != line.Net {
		found = append(found, Difference{TransactionID: line.TransactionID, Kind: DifferenceNet, Ours: net, Theirs: line.Net})
	}
	return found
}

// net is what the line should bring: the amount less fee and its tax, negative for a refund.
func (l SettlementLine) net() money.Paise {
	if l.Refund {
		return -l.Amount - l.Fee - l.FeeTax
	}
	return l.Amount - l.Fee - l.FeeTax
}

// CompareSettlements compares every day's settlement since the last comparison, that one again included, with the books,
// books what was paid out, and keeps every difference. It runs as the worker.
func (s *Service) CompareSettlements(ctx context.Context) error {
	yesterday := subscription.DayOf(s.Clock.Now()) - 1
	for _, g := range s.Gateways {
		last, err := s.lastCompared(ctx, g.Name())
		if err != nil {
			return err
		}
		if last == 0 {
			last = yesterday
		}
		for day := max(last, yesterday-compareBack); day <= yesterday; day++ {
			if _, err := s.CompareDay(ctx, g, day); err != nil {
				return fmt.Errorf("compare settlement of %s: %w", day, err)
			}
		}
	}
	return nil
}

func (s *Service) lastCompared(ctx context.Context, gateway string) (day subscription.Day, err error) {
	err = postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		day, err = s.store.lastCompared(ctx, tx, gateway)
		return err
	})
	return day, err
}

// CompareDay compares one day's settlement; done again it replaces what it found before.
func (s *Service) CompareDay(ctx context.Context, g Gateway, day subscription.Day) (SettlementDay, error) {
	lines, err := g.Settlements(ctx, day.String())
	if err != nil {
		return SettlementDay{}, err
	}
	report := SettlementDay{Gateway: g.Name(), Day: day, Lines: len(lines), ComparedAt: s.Clock.Now()}
	err = postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		known, refunds, err := s.store.settledBy(ctx, tx, g.Name(), lines)
		if err != nil {
			return err
		}
		for _, line := range lines {
			report.add(line)
			p, r := known[line.TransactionID], refunds[line.RefundID]
			found := judge(line, p, r)
			report.Differences = append(report.Differences, found...)
			if len(found) > 0 {
				continue // booked once the difference is cleared and the day compared again
			}
			err := s.bookTx(ctx, tx, line, *p, r)
			if errors.Is(err, ledger.ErrPostedDifferently) { // it was paid out before, less another fee
				report.Differences = append(report.Differences,
					Difference{TransactionID: line.TransactionID, Kind: DifferenceNet, Theirs: line.Net})
				continue
			}
			if err != nil {
				return err
			}
		}
		report.All = lines
		missing, err := s.store.unsettled(ctx, tx, g.Name(), day-settlesWithin)
		if err != nil {
			return err
		}
		report.Differences = append(report.Differences, missing...)
		return s.store.saveSettlement(ctx, tx, report)
	})
	if err == nil && len(report.Differences) > 0 {
		s.Logger.WarnContext(ctx, "settlement differs from the books", slog.String("gateway", report.Gateway),
			slog.String("day", day.String()), slog.Int("differences", len(report.Differences)))
	}
	return report, err
}

func (d *SettlementDay) add(line SettlementLine) {
	if line.Refund {
		d.Refunded += line.Amount
	} else {
		d.Captured += line.Amount
	}
	d.Fee += line.Fee
	d.Tax += line.FeeTax
	d.Net += line.Net
}

// bookTx books what the gateway paid out, or kept back for a refund, once a line.
func (s *Service) bookTx(ctx context.Context, tx *sqlx.Tx, line SettlementLine, p settled, r *settledRefund) error {
	m := ledger.Movement{FranchiserID: p.FranchiserID, PaymentID: p.PaymentID, Reference: p.PaymentID, Amount: line.Amount, At: line.At}
	if p.State == StateHeld {
		return nil // nothing of it is in the books before staff have decided
	}
	if line.GatewayPaymentID != "" && line.GatewayPaymentID != p.GatewayPaymentID {
		m.Reference += "/" + line.GatewayPaymentID // a second capture of the same transaction
	}
	if !line.Refund {
		return s.Ledger.PostTx(ctx, tx, ledger.Settlement(m, line.Fee, line.FeeTax))
	}
	if r.State != RefundDone {
		return nil // booked by the comparison after the refund is
	}
	m.Reference = r.ID
	return s.Ledger.PostTx(ctx, tx, ledger.RefundSettlement(m))
}

// Settlements lists the comparisons of the days from first to last with all that they found, newest first. For staff.
func (s *Service) Settlements(ctx context.Context, first, last subscription.Day) ([]SettlementDay, error) {
	var days []SettlementDay
	err := postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		var err error
		days, err = s.store.settlements(ctx, tx, first, last)
		return err
	})
	return days, err
}

// Settlement is one day's comparison with every line and difference, or errs.NotFound. For staff.
func (s *Service) Settlement(ctx context.Context, gateway string, day subscription.Day) (SettlementDay, error) {
	var found SettlementDay
	err := postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
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
