package settlement

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// settled is our record of a transaction named by a settlement.
type settled struct {
	payment.Settled
	// Booked maps the booked captures to the lines that settled them; Returned has the amounts of refunds that the gateway paid out again.
	Booked   map[string]string
	Returned []money.Paise
}

// capturedAs returns our captured amount for the gateway's payment id, which may be missing in older lines.
func (s *settled) capturedAs(gatewayPaymentID string) (amount money.Paise, known bool) {
	if gatewayPaymentID == "" || gatewayPaymentID == s.GatewayPaymentID {
		return s.Captured, s.State == payment.StatePaid || s.State == payment.StateRefunded || s.State == payment.StateHeld
	}
	amount, known = s.Others[gatewayPaymentID]
	return amount, known
}

// verdict is a comparison's result for a line: the differences, and whether it can be booked now; if not, Waits names the reason. A
// difference need not block booking: a chargeback's money is gone even if we do not know the dispute.
type verdict struct {
	Differences []Difference
	Book        bool
	Waits       string
}

func (v *verdict) differs(line StoredLine, kind DifferenceKind, ours money.Paise) {
	v.Differences = append(v.Differences, Difference{
		Gateway: line.Gateway, Day: line.Day, LineID: line.ID, TransactionID: line.TransactionID, Kind: kind, Ours: ours, Theirs: line.Amount,
	})
}

// unheard reports whether we have no record of the line's capture, so that the gateway must be queried.
func (v *verdict) unheard(line StoredLine) bool {
	return line.Kind == KindCapture && slices.ContainsFunc(v.Differences, func(d Difference) bool { return d.Kind == DifferenceNotPaid })
}

// judge compares one line with our records; known and refund are nil without a record.
func judge(line StoredLine, known *settled, refund *payment.SettledRefund) verdict {
	var v verdict
	if !line.Listed {
		v.differs(line, DifferenceWithdrawn, line.BookedNet)
		return v
	}
	if line.Pending {
		v.Waits = WaitsForPayout
		return v
	}
	if line.BookedAt != nil && line.BookedNet != line.Net {
		v.differs(line, DifferenceChanged, line.BookedNet)
		v.Differences[0].Theirs = line.Net
	}
	v.Book = true
	if net := line.net(); net != line.Net {
		v.differs(line, DifferenceNet, net)
		v.Differences[len(v.Differences)-1].Theirs = line.Net
		v.Book = false
	}
	switch {
	case line.Kind == KindAdjustment:
		if line.Net != 0 {
			v.differs(line, DifferenceAdjustment, 0)
			v.Differences[len(v.Differences)-1].Theirs = line.Net
		}
	case known == nil:
		v.differs(line, DifferenceUnknown, 0)
		v.Book = false
	case line.Kind == KindCapture:
		v.capture(line, known)
	case line.Kind == KindRefund:
		v.refund(line, known, refund)
	case line.Kind == KindRefundReversal:
		v.refundReversal(line, known)
	default:
		v.dispute(line, known)
	}
	return v
}

func (v *verdict) capture(line StoredLine, known *settled) {
	captured, paid := known.capturedAs(line.GatewayPaymentID)
	by := known.Booked[line.GatewayPaymentID]
	switch {
	case !paid:
		v.differs(line, DifferenceNotPaid, 0)
	case captured != line.Amount:
		v.differs(line, DifferenceAmount, captured)
	case by != "" && by != line.ID:
		v.differs(line, DifferenceTwice, captured)
	default:
		return
	}
	v.Book = false
}

// refund waits for a refund in progress: gateways deduct it from the next payout, days before it is done. A failed refund is booked after
// it is paid out again.
func (v *verdict) refund(line StoredLine, known *settled, refund *payment.SettledRefund) {
	switch {
	case refund != nil && refund.State == payment.RefundFailed && slices.Contains(known.Returned, line.Amount):
		return
	case refund == nil || refund.State == payment.RefundRequested || refund.State == payment.RefundFailed:
		v.differs(line, DifferenceUnknownRefund, 0)
	case refund.Amount != line.Amount:
		v.differs(line, DifferenceRefundAmount, refund.Amount)
	case refund.State != payment.RefundDone:
		v.Waits = WaitsForRefund
	default:
		return
	}
	v.Book = false
}

// refundReversal expects a refund that failed here too. The row has its own id, not the refund's.
func (v *verdict) refundReversal(line StoredLine, known *settled) {
	if !slices.Contains(known.Failed, line.Amount) {
		v.differs(line, DifferenceRefundReturned, 0)
	}
}

// dispute compares a chargeback, or its return, with the payment's disputes. A row without a dispute's id refers to the payment's only
// dispute.
func (v *verdict) dispute(line StoredLine, known *settled) {
	d, found := known.Disputes[line.RefundID]
	if !found && len(known.Disputes) == 1 {
		for _, d = range known.Disputes {
			found = true
		}
	}
	back := line.Kind == KindChargebackReversal
	switch {
	case !found && len(known.Disputes) == 0:
		v.differs(line, DifferenceUnknownDispute, 0)
	case found && back && d.State == payment.DisputeLost:
		v.differs(line, DifferenceDisputeReturned, d.Amount)
	case found && !back && d.State == payment.DisputeLost && d.Amount != line.Amount:
		v.differs(line, DifferenceDisputeAmount, d.Amount)
	case !back && undecided(d, found, known.Disputes):
		v.differs(line, DifferenceDisputeTaken, 0) // staff book a loss, or the gateway returns it
	}
}

// undecided reports whether the money was deducted for a dispute that is neither lost nor won here: the line's dispute or, if that is
// unclear, all of them.
func undecided(d payment.SettledDispute, found bool, all map[string]payment.SettledDispute) bool {
	if found {
		return d.State == payment.DisputeOpen || d.State == payment.DisputeDismissed
	}
	for _, d := range all {
		if d.State != payment.DisputeOpen && d.State != payment.DisputeDismissed {
			return false
		}
	}
	return true
}
