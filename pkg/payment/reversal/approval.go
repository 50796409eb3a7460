package reversal

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// needsApproval reports whether a second person must approve it: always for a loss that the gateway did not confirm. Otherwise it
// counts earlier returns of the payment, and the requester's unapproved returns on the day of the request and today. So a large refund
// cannot pass as several small ones or under another date.
func needsApproval(ctx context.Context, tx *sqlx.Tx, r Reversal, rest refund.Rest, above money.Paise, other UnapprovedTotal, now time.Time) (bool, error) {
	if rest.Already+r.Amount > above {
		return true, nil
	}
	if r.Kind == KindChargeback {
		if confirmed, err := dispute.ConfirmedTx(ctx, tx, r.PaymentID, r.DisputeID); err != nil || !confirmed {
			return true, err
		}
	}
	asked, today := subscription.DayOf(r.RequestedAt), subscription.DayOf(now)
	for _, day := range slices.Compact([]subscription.Day{today, asked}) {
		alone, err := aloneTx(ctx, tx, r.RequestedBy, day, r.ID)
		if err != nil {
			return false, err
		}
		also, err := other(ctx, tx, r.RequestedBy, day)
		if err != nil || alone+also+r.Amount > above {
			return true, err
		}
	}
	return false, nil
}

// UnapprovedTotal returns the sum that a member of staff moved on a day in India without a second person, apart from reversals. The
// caller holds the lock under which that sum can grow.
type UnapprovedTotal func(ctx context.Context, tx *sqlx.Tx, staffID string, day subscription.Day) (money.Paise, error)

// GivenBackAloneTx returns how much the member of staff has refunded on the day in India without a second person. It locks that total
// until the transaction ends.
func GivenBackAloneTx(ctx context.Context, tx *sqlx.Tx, staffID string, day subscription.Day) (money.Paise, error) {
	return aloneTx(ctx, tx, staffID, day, "00000000-0000-0000-0000-000000000000")
}
