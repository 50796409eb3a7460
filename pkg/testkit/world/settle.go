package world

import (
	"time"

	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// Line returns the gateway's payout line for a request, with a fee of 2% and GST on it.
func Line(r checkout.Requested, at time.Time) settlement.Line {
	fee := r.Amount.MulBps(200)
	tax := fee.MulBps(1800)
	return settlement.Line{
		ID: "capture:G" + r.TransactionID, Kind: settlement.KindCapture, TransactionID: r.TransactionID,
		GatewayPaymentID: "G" + r.TransactionID, Amount: r.Amount, Fee: fee, FeeTax: tax, Net: r.Amount - fee - tax, At: at,
	}
}

// BackLine returns the gateway's line for a deduction from a request, or for paying it out again, without a fee.
func BackLine(kind settlement.Kind, r checkout.Requested, name string, amount money.Paise, at time.Time) settlement.Line {
	l := settlement.Line{
		ID: string(kind) + ":" + name, Kind: kind, TransactionID: r.TransactionID, GatewayPaymentID: "G" + r.TransactionID,
		RefundID: name, Amount: amount, Net: amount, At: at,
	}
	if kind == settlement.KindRefund || kind == settlement.KindChargeback {
		l.Net = -amount
	}
	return l
}
