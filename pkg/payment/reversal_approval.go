package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// needsApproval reports whether a second person must approve it: always for a loss that the gateway did not confirm; otherwise
// counting what was already returned of the payment, and what its requester returns alone on the day of the request and today, so that
// a large refund passes neither as several small ones nor under another date.
func (s store) needsApproval(ctx context.Context, tx *sqlx.Tx, r Reversal, rest refundable, above money.Paise, now time.Time) (bool, error) {
	if rest.Already+r.Amount > above {
		return true, nil
	}
	if r.Kind == ReversalChargeback {
		if confirmed, err := s.disputeConfirmed(ctx, tx, r.PaymentID, r.DisputeID); err != nil || !confirmed {
			return true, err
		}
	}
	asked, today := subscription.DayOf(r.RequestedAt), subscription.DayOf(now)
	alone, err := s.alone(ctx, tx, r.RequestedBy, today, r.ID)
	if err != nil || alone+r.Amount > above || asked == today {
		return alone+r.Amount > above, err
	}
	alone, err = s.alone(ctx, tx, r.RequestedBy, asked, r.ID)
	return alone+r.Amount > above, err
}

// GivenBackAloneTx returns how much the member of staff has given back on the day in India without a second person, by refunds and by
// other acts (alone_in_acts). Until the transaction ends nobody else adds to it.
func GivenBackAloneTx(ctx context.Context, tx *sqlx.Tx, staffID string, day subscription.Day) (money.Paise, error) {
	return store{}.alone(ctx, tx, staffID, day, "00000000-0000-0000-0000-000000000000")
}
