package story

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// Buy returns the intent to buy a plan.
func Buy(t plan.Tier, typ plan.Type, addOns ...string) subscription.PurchaseIntent {
	return world.Buy(t, typ, addOns...)
}

// Renewal returns the intent to renew a franchiser's subscription.
func (b *Story) Renewal(franchiser string) subscription.PurchaseIntent {
	b.T.Helper()
	return world.Renewal(b.Text(`SELECT id FROM subscriptions WHERE franchiser_id = $1`, franchiser))
}

// AddOns returns the intent to buy add-ons for a franchiser's subscription.
func (b *Story) AddOns(franchiser string, ids ...string) subscription.PurchaseIntent {
	b.T.Helper()
	w := b.Renewal(franchiser)
	w.Renew, w.AddOnIDs = false, ids
	return w
}

// Request requests a charge.
func (b *Story) Request(franchiser string, w subscription.PurchaseIntent) (checkout.Requested, error) {
	return b.API.Checkout.Request(context.Background(), franchiser, checkout.Input{Intent: w})
}

// Ask requests a charge that must be accepted.
func (b *Story) Ask(franchiser string, w subscription.PurchaseIntent) checkout.Requested {
	b.T.Helper()
	r, err := b.Request(franchiser, w)
	require.NoError(b.T, err)
	return r
}

// Pay requests a charge and pays it, if there is anything to pay.
func (b *Story) Pay(franchiser string, w subscription.PurchaseIntent) checkout.Requested {
	b.T.Helper()
	r := b.Ask(franchiser, w)
	if r.Session != nil {
		b.Settle(r, payment.StatusPaid)
	}
	return r
}

// Settle sets the gateway's outcome and verifies its notice.
func (b *Story) Settle(r checkout.Requested, status payment.Status) {
	b.T.Helper()
	b.Gateway.Decide(r.TransactionID, status, r.Amount)
	_, err := b.API.Notices.Returned(context.Background(), b.Gateway.Notice(r.TransactionID))
	require.NoError(b.T, err)
	b.Work()
}

// Dispute delivers the webhook of a dispute and runs the resulting jobs.
func (b *Story) Dispute(r checkout.Requested, disputeID string, o payment.DisputeOutcome) {
	b.T.Helper()
	require.NoError(b.T, b.API.Notices.Notified(b.T.Context(), "fake", b.Gateway.DisputeNotice(r.TransactionID, disputeID, o)))
	b.Work()
}

// OrderLine returns one line of the buyer's list of orders, the newest after skipping some: its status and days.
func (b *Story) OrderLine(skipped int) string {
	b.T.Helper()
	rows, _, err := b.API.History.Orders(context.Background(), b.Buyer, history.Query{Offset: skipped, Limit: 1})
	require.NoError(b.T, err)
	require.Len(b.T, rows, 1)
	return rows[0].Status + " " + rows[0].EndsOn.String() + " " + rows[0].RenewsOn.String()
}

// PaymentOf returns the id of the payment behind a charge.
func (b *Story) PaymentOf(r checkout.Requested) string {
	b.T.Helper()
	return b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
}

// State returns the state of the charge's payment.
func (b *Story) State(r checkout.Requested) string {
	b.T.Helper()
	return b.Text(`SELECT state FROM payments WHERE transaction_id = $1`, r.TransactionID)
}

// GiveBack has Asha request a refund of a payment (0 for the whole remainder), Ravi approve it if necessary, and the worker execute it.
func (b *Story) GiveBack(paymentID string, amount money.Paise) error {
	b.T.Helper()
	return b.refund(paymentID, amount, false)
}

// KeepOrEnd is GiveBack for a charge that must be accepted, with Asha's choice for the plan.
func (b *Story) KeepOrEnd(r checkout.Requested, amount money.Paise, keep bool) {
	b.T.Helper()
	require.NoError(b.T, b.refund(b.PaymentOf(r), amount, keep))
}

func (b *Story) refund(paymentID string, amount money.Paise, keep bool) error {
	b.T.Helper()
	r, err := b.Reversals.Request(b.Asha.Sign(context.Background()), b.Asha, reversal.Input{
		FranchiserID: b.Text(`SELECT franchiser_id FROM payments WHERE id = $1`, paymentID), PaymentID: paymentID,
		Kind: reversal.KindRefund, Amount: amount, All: amount == 0, KeepPlan: keep, Reason: "as agreed", Key: id.New(),
	})
	if err == nil && r.State == approval.Waiting {
		_, err = b.Reversals.Approve(b.Ravi.Sign(context.Background()), b.Ravi, r.ID, "as agreed")
	}
	if err != nil {
		return err
	}
	b.Work()
	return nil
}

// WithTax returns the sum of the values plus 18%, each rounded separately.
func WithTax(net ...money.Paise) money.Paise {
	var sum money.Paise
	for _, n := range net {
		sum += n + testkit.Share(n, 18, 100)
	}
	return sum
}
