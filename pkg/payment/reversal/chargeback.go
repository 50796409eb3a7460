package reversal

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
)

// chargebackProblemTx says why a chargeback contradicts the payment's known disputes, and is empty if it does not: an unknown number
// while another dispute is open, or more money than the dispute is about. A dismissed dispute says nothing about the amount.
func chargebackProblemTx(ctx context.Context, tx *sqlx.Tx, r Reversal) (string, error) {
	if r.Kind != KindChargeback {
		return "", nil
	}
	known, err := dispute.OfTx(ctx, tx, r.PaymentID)
	if err != nil {
		return "", err
	}
	other := ""
	for _, d := range known {
		limits := d.State == payment.DisputeOpen || d.State == payment.DisputeWon
		switch {
		case d.GatewayDisputeID == r.DisputeID && limits && d.Amount > 0 && r.Amount > d.Amount:
			return fmt.Sprintf("Dispute %s is about %s. Book at most that.", d.GatewayDisputeID, d.Amount.Display()), nil
		case d.GatewayDisputeID == r.DisputeID:
			return "", nil
		case d.State == payment.DisputeOpen && other == "":
			other = d.GatewayDisputeID
		}
	}
	if other != "" {
		return fmt.Sprintf("The open dispute of this payment has the number %s. Book the loss under that number, or close that dispute first.", other), nil
	}
	return "", nil
}
