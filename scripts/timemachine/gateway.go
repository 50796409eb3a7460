package main

import (
	"context"
	"sync"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// gateway is a fake gateway with a real gateway's name: charges are paid when the run says so, refunds complete immediately, and debits
// succeed or fail by the customer's choice. It makes no network calls.
type gateway struct {
	name string
	pays timemachine.Pays

	mu       sync.Mutex
	outcomes map[string]payment.Outcome
	states   map[string]mandate.ProviderState // of mandates, by the gateway's id
	failed   map[string]bool                  // mandates whose last debit failed, for a late payer
}

func newGateway(name string, pays timemachine.Pays, states map[string]mandate.ProviderState) *gateway {
	return &gateway{name: name, pays: pays, outcomes: map[string]payment.Outcome{}, states: states, failed: map[string]bool{}}
}

// Name returns the name of the real gateway.
func (g *gateway) Name() string { return g.name }

// pay has a charge paid in full, and returns the notice that the gateway sends of it.
func (g *gateway) pay(r checkout.Requested) payment.Incoming {
	g.decide(payment.Charge{TransactionID: r.TransactionID, Amount: r.Amount}, payment.StatusPaid, "")
	return payment.Incoming{Form: map[string]string{"gateway": g.name, "transaction": r.TransactionID}}
}

func (g *gateway) decide(c payment.Charge, status payment.Status, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.outcomes[c.TransactionID] = payment.Outcome{
		Status: status, Amount: c.Amount, Currency: payment.Currency, GatewayPaymentID: "G" + c.TransactionID, Slug: "upi", Reason: reason,
		Fields: map[string]string{"status": string(status)},
	}
}

// Begin opens a session without a visitor.
func (*gateway) Begin(_ context.Context, c payment.Charge) (payment.Session, error) {
	return payment.Session{URL: "https://gateway.invalid/", Fields: map[string]string{"transaction": c.TransactionID}}, nil
}

// Read accepts what pay returned.
func (g *gateway) Read(p payment.Incoming) (payment.Notice, error) {
	if p.Form["gateway"] != g.name {
		return payment.Notice{}, payment.ErrSignature
	}
	txn := p.Form["transaction"]
	return payment.Notice{
		Kind: payment.NoticePayment, Signed: true, TransactionID: txn, Status: payment.StatusPaid, Key: txn, Fields: map[string]string{"status": "paid"},
	}, nil
}

// IsReference reports whether the field holds our transaction id.
func (*gateway) IsReference(field string) bool { return field == "transaction" }

// Verify returns the decided outcome; a charge from before the run is unknown.
func (g *gateway) Verify(_ context.Context, txn, _ string) (payment.Outcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o, ok := g.outcomes[txn]; ok {
		return o, nil
	}
	return payment.Outcome{Status: payment.StatusUnknown, Fields: map[string]string{"status": "unknown"}}, nil
}

// Refund refunds at once.
func (*gateway) Refund(_ context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	return payment.RefundOutcome{RefundID: "R" + r.Token, Done: true}, nil
}

// RefundStatus reports a refund as done.
func (*gateway) RefundStatus(_ context.Context, _ payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	return payment.RefundOutcome{RefundID: refundID, Done: true}, nil
}

// Refunds returns none: no refunds are made on the gateway's dashboard.
func (*gateway) Refunds(context.Context, string, string) ([]payment.RefundRecord, error) {
	return nil, nil
}

// Settlements returns none: payouts change nothing for a customer.
func (*gateway) Settlements(context.Context, string) ([]settlement.Line, error) { return nil, nil }

// debiting is a gateway that debits by mandate.
type debiting struct{ *gateway }

var _ mandate.Gateway = debiting{}

// Register opens a session without a visitor.
func (g debiting) Register(ctx context.Context, r mandate.Registration) (payment.Session, error) {
	return g.Begin(ctx, r.Charge)
}

// Registered reports that the mandate is not authorised.
func (debiting) Registered(context.Context, string, string) (mandate.Details, error) {
	return mandate.Details{State: mandate.ProviderUnknown}, nil
}

// State returns the state that the mandate had at the beginning, unless it was ended since.
func (g debiting) State(_ context.Context, m mandate.Reference) (mandate.Details, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return mandate.Details{Reference: m, State: g.states[m.MandateID]}, nil
}

// Notify takes every notice.
func (debiting) Notify(_ context.Context, _ mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	return mandate.NoticeOutcome{Reference: "N" + n.Token, Accepted: true}, nil
}

// WithdrawNotice takes a notice back.
func (debiting) WithdrawNotice(context.Context, mandate.Reference, mandate.Notice) (bool, error) {
	return true, nil
}

// Debit debits as the choice says.
func (g debiting) Debit(ctx context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	if known, _ := g.Verify(ctx, d.Charge.TransactionID, ""); known.Status != payment.StatusUnknown {
		return debited(known), nil
	}
	g.mu.Lock()
	fails := g.pays == timemachine.PaysNever || g.pays == timemachine.PaysLate && !g.failed[m.MandateID]
	g.failed[m.MandateID] = fails
	g.mu.Unlock()
	if fails {
		g.decide(d.Charge, payment.StatusFailed, "The account had insufficient funds.")
	} else {
		g.decide(d.Charge, payment.StatusPaid, "")
	}
	known, err := g.Verify(ctx, d.Charge.TransactionID, "")
	return debited(known), err
}

// debited is a debit's outcome, the same for each query: a failed debit lacked funds.
func debited(o payment.Outcome) mandate.DebitOutcome {
	out := mandate.DebitOutcome{Status: o.Status, Reason: o.Reason}
	if o.Status == payment.StatusFailed {
		out.Cause = mandate.CauseInsufficient
	}
	return out
}

// Revoke ends the mandate.
func (g debiting) Revoke(_ context.Context, m mandate.Reference) (mandate.Details, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.states[m.MandateID] = mandate.ProviderRevoked
	return mandate.Details{Reference: m, State: mandate.ProviderRevoked}, nil
}

// ReadMandate accepts nothing: no notices are sent.
func (debiting) ReadMandate(payment.Incoming) (mandate.Hint, error) {
	return mandate.Hint{}, payment.ErrSignature
}
