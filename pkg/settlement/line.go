package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Kind is the kind of a settlement line.
type Kind string

// The kinds of line. A reversal is money returned to us, from a refund that did not reach the customer or from a dispute that we won. An
// adjustment is a movement without a payment, or of an unknown type.
const (
	KindCapture            Kind = "capture"
	KindRefund             Kind = "refund"
	KindRefundReversal     Kind = "refund_reversal"
	KindChargeback         Kind = "chargeback"
	KindChargebackReversal Kind = "chargeback_reversal"
	KindAdjustment         Kind = "adjustment"
)

// Line is one movement in a day's settlement.
type Line struct {
	// ID is the gateway's stable id of the line: 1 to 80 characters.
	ID   string `db:"line_id"`
	Kind Kind   `db:"kind"`
	// Action is the gateway's own word for the movement.
	Action           string `db:"action"`
	TransactionID    string `db:"transaction_id"`
	GatewayPaymentID string `db:"gateway_payment_id"`
	// RefundID is the gateway's id of the refund or the dispute, empty for a capture.
	RefundID string `db:"refund_id"`
	// Amount is the amount before fees: never negative, whatever the direction of the kind. An adjustment's is negative if the gateway
	// deducted it, and 0 if it is only a fee.
	Amount money.Paise `db:"amount_paise"`
	// Fee is the gateway's fee, FeeTax the GST on it; both are negative if returned.
	Fee    money.Paise `db:"fee_paise"`
	FeeTax money.Paise `db:"tax_paise"`
	// Net is what reached the bank; negative if the line reduced the payout.
	Net money.Paise `db:"net_paise"`
	// SettlementID and UTR identify the payout and its bank transfer, empty if the gateway does not name them.
	SettlementID string `db:"settlement_id"`
	UTR          string `db:"utr"`
	// Pending reports that the line is announced or on hold: nothing has been paid out yet.
	Pending bool      `db:"pending"`
	At      time.Time `db:"settled_at"`
}

// gross returns the signed amount: positive for money that came to us.
func (l Line) gross() money.Paise {
	if l.Kind == KindRefund || l.Kind == KindChargeback {
		return -l.Amount
	}
	return l.Amount
}

// net returns the expected net amount: the signed amount less the fee and its tax.
func (l Line) net() money.Paise { return l.gross() - l.Fee - l.FeeTax }

// StoredLine is a stored line, unique however often the gateway lists it.
type StoredLine struct {
	Line
	Gateway string           `db:"gateway"`
	Day     subscription.Day `db:"day"`
	// BookedAt is nil while the line is open; BlockedBy then names the difference or the reason to wait.
	BookedAt  *time.Time `db:"booked_at"`
	BlockedBy string     `db:"blocked_by"`
	// Listed is false once the gateway no longer lists the line. BookedNet is its booked amount.
	Listed    bool        `db:"listed"`
	BookedNet money.Paise `db:"booked_net_paise"`
}

// entry returns the line's ledger entry: bank, fees and their tax against the gateway's debt to us.
func (l StoredLine) entry(p *settled) ledger.Entry {
	m := ledger.Movement{Reference: l.Gateway + "/" + l.ID, Amount: l.Amount, At: l.At}
	if l.Kind == KindAdjustment {
		return ledger.AdjustmentSettlement(m, l.Fee, l.FeeTax)
	}
	m.FranchiserID, m.PaymentID = p.FranchiserID, p.PaymentID
	switch l.Kind {
	case KindRefund:
		return ledger.RefundSettlement(m, l.Fee, l.FeeTax)
	case KindChargeback:
		return ledger.ChargebackSettlement(m, l.Fee, l.FeeTax)
	case KindRefundReversal, KindChargebackReversal:
		return ledger.ReturnSettlement(m, l.Fee, l.FeeTax)
	default:
		return ledger.Settlement(m, l.Fee, l.FeeTax)
	}
}
