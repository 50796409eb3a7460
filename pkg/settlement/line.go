package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Kind is what a line of a settlement is about.
type Kind string

// The kinds of line. A reversal is money that comes back to us: of a refund that did not reach the customer, or of a dispute
// that was won in the end. An adjustment is everything that concerns no payment, and every word that we do not know.
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
	// ID names the line at the gateway, the same each time it is asked for: 1 to 80 characters.
	ID   string `db:"line_id"`
	Kind Kind   `db:"kind"`
	// Action is the gateway's own word for the movement.
	Action           string `db:"action"`
	TransactionID    string `db:"transaction_id"`
	GatewayPaymentID string `db:"gateway_payment_id"`
	// RefundID is the gateway's name for the refund or the dispute, empty for a capture.
	RefundID string `db:"refund_id"`
	// Amount is what moved before fees: at least 0, whichever way the kind says it went. An adjustment's is below 0 where it
	// was taken from us, and 0 where it is a fee alone.
	Amount money.Paise `db:"amount_paise"`
	// Fee is what the gateway keeps, FeeTax the GST on it; both are below 0 where they are given back.
	Fee    money.Paise `db:"fee_paise"`
	FeeTax money.Paise `db:"tax_paise"`
	// Net is what reached the bank; below 0 where the line reduced the payout.
	Net money.Paise `db:"net_paise"`
	// SettlementID and UTR name the payout and its transfer to the bank, empty where the gateway does not say.
	SettlementID string `db:"settlement_id"`
	UTR          string `db:"utr"`
	// Pending says that the line is announced or on hold: nothing was paid out yet.
	Pending bool      `db:"pending"`
	At      time.Time `db:"settled_at"`
}

// gross is the amount with its sign: above 0 for money that came to us.
func (l Line) gross() money.Paise {
	if l.Kind == KindRefund || l.Kind == KindChargeback {
		return -l.Amount
	}
	return l.Amount
}

// net is what the line should bring: the amount less fee and its tax.
func (l Line) net() money.Paise { return l.gross() - l.Fee - l.FeeTax }

// StoredLine is a line as it is kept: once, however often the gateway lists it.
type StoredLine struct {
	Line
	Gateway string           `db:"gateway"`
	Day     subscription.Day `db:"day"`
	// BookedAt is empty while the line is open; BlockedBy is then the difference, or what else it waits for.
	BookedAt  *time.Time `db:"booked_at"`
	BlockedBy string     `db:"blocked_by"`
	// Listed is false once the gateway no longer lists the line. BookedNet is what was booked of it.
	Listed    bool        `db:"listed"`
	BookedNet money.Paise `db:"booked_net_paise"`
}

// entry is what the line does to the books: the bank, the fees and their tax, against what the gateway owes us.
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
