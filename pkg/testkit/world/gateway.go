package world

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// GatewayName is the word for the gateway of the world.
const GatewayName = "fake"

// Gateway is a payment provider whose outcomes are decided from outside. Its notices are signed with a hash of their fields.
type Gateway struct {
	// Lines are what the gateway's settlements say, whatever the day; nobody may compare while they are set.
	Lines []payment.SettlementLine

	mu       sync.Mutex
	outcomes map[string]payment.Outcome
	back     map[string]money.Paise // what went back of a capture
	refunds  map[string]payment.RefundOutcome
	disputes map[string]payment.DisputeOutcome
	requests map[string]int
	isSlow   bool
	slow     map[string]slowRefund // by the gateway's name for it
	down     bool
	verified int
	moved    []payment.SettlementLine
}

// slowRefund is a refund that takes its time, and how far it is.
type slowRefund struct {
	asked   payment.RefundRequest
	outcome payment.RefundOutcome
}

func newGateway() *Gateway {
	return &Gateway{
		outcomes: map[string]payment.Outcome{}, back: map[string]money.Paise{}, refunds: map[string]payment.RefundOutcome{},
		disputes: map[string]payment.DisputeOutcome{}, requests: map[string]int{}, slow: map[string]slowRefund{},
	}
}

// Decide sets what became of a transaction; the capture is named after it.
func (g *Gateway) Decide(txn string, status payment.Status, amount money.Paise) {
	g.DecideAs(txn, "G"+txn, status, amount)
}

// DecideAs is Decide with the capture's own name: another one is a second capture of the same transaction.
func (g *Gateway) DecideAs(txn, capture string, status payment.Status, amount money.Paise) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := g.outcomes[txn]; status == payment.StatusPaid && (before.Status != status || before.GatewayPaymentID != capture) {
		fee := amount.MulBps(200)
		tax := fee.MulBps(1800)
		g.moved = append(g.moved, payment.SettlementLine{
			TransactionID: txn, GatewayPaymentID: capture, Amount: amount, Fee: fee, FeeTax: tax, Net: amount - fee - tax,
		})
	}
	g.outcomes[txn] = payment.Outcome{
		Status: status, Amount: amount, Currency: payment.Currency, GatewayPaymentID: capture, Slug: "upi",
		Fields: map[string]string{"txnid": txn, "status": string(status), "amount": amount.Decimal(), "capture": capture},
	}
}

// Change alters what the gateway answers about a transaction.
func (g *Gateway) Change(txn string, change func(*payment.Outcome)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.outcomes[txn]
	change(&o)
	g.outcomes[txn] = o
}

// Outcome is what became of a transaction so far.
func (g *Gateway) Outcome(txn string) payment.Outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outcomes[txn]
}

// SetDown makes the gateway answer nothing, or answer again.
func (g *Gateway) SetDown(down bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = down
}

// RefundRequests says how often a refund was asked for, by its token.
func (g *Gateway) RefundRequests() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.requests
}

// Verified is how often the gateway was asked about a transaction.
func (g *Gateway) Verified() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.verified
}

// goesBack notes money that leaves a capture again.
func (g *Gateway) goesBack(txn, capture, name string, amount money.Paise) {
	g.back[capture] += amount
	g.moved = append(g.moved, payment.SettlementLine{
		TransactionID: txn, GatewayPaymentID: capture, Refund: true, RefundID: name, Amount: amount, Net: -amount,
	})
}

// TakeMovements returns what moved since the last call, as the gateway would settle it at that moment.
func (g *Gateway) TakeMovements(at time.Time) []payment.SettlementLine {
	g.mu.Lock()
	defer g.mu.Unlock()
	lines := g.moved
	g.moved = nil
	for i := range lines {
		lines[i].At = at
	}
	return lines
}

// Notice is what the gateway posts about a transaction.
func (g *Gateway) Notice(txn string) payment.Posted {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Signed(map[string]string{
		"txnid": txn, "status": string(g.outcomes[txn].Status), "note": g.outcomes[txn].GatewayPaymentID,
	})
}

// RefundNotice is what the gateway posts about a refund that was made at its own dashboard, done at once.
func (g *Gateway) RefundNotice(txn, refundID string, amount money.Paise) payment.Posted {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.goesBack(txn, g.outcomes[txn].GatewayPaymentID, refundID, amount)
	return Signed(map[string]string{"txnid": txn, "status": "paid", "refund": refundID, "amount": amount.Decimal()})
}

// Left is what did not go back yet of a transaction's capture.
func (g *Gateway) Left(txn string) money.Paise {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.outcomes[txn]
	if o.Status != payment.StatusPaid {
		return 0
	}
	return o.Amount - g.back[o.GatewayPaymentID]
}

// DisputeNotice is what the gateway posts about a dispute; asked about it, the gateway answers o from now on.
func (g *Gateway) DisputeNotice(txn, disputeID string, o payment.DisputeOutcome) payment.Posted {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.disputes[disputeID] = o
	if o.State == payment.DisputeLost {
		g.goesBack(txn, g.outcomes[txn].GatewayPaymentID, disputeID, o.Amount)
	}
	return Signed(map[string]string{"txnid": txn, "status": "paid", "dispute": disputeID, "note": string(o.State)})
}

// Signed is the form with the hash that the gateway would give it.
func Signed(f map[string]string) payment.Posted {
	f["hash"] = Sign(f)
	return payment.Posted{Form: f}
}

// Sign is the hash of a form's signed fields.
func Sign(f map[string]string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(f["txnid"]+"/"+f["status"]+"/"+f["refund"]+"/"+f["amount"])))
}

// Name is GatewayName.
func (*Gateway) Name() string { return GatewayName }

// Begin opens a session, the same for the same transaction.
func (g *Gateway) Begin(_ context.Context, c payment.Charge) (payment.Session, error) {
	return payment.Session{URL: "https://gateway.example/_payment", Fields: map[string]string{
		"txnid": c.TransactionID, "amount": c.Amount.Decimal(), "hash": "h",
	}}, nil
}

// Read takes a form that Signed made.
func (g *Gateway) Read(p payment.Posted) (payment.Notice, error) {
	if p.Form["hash"] == "" || p.Form["hash"] != Sign(p.Form) {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: payment.NoticePayment, TransactionID: p.Form["txnid"], Status: payment.Status(p.Form["status"]),
		Fields: map[string]string{"txnid": p.Form["txnid"], "status": p.Form["status"], "note": p.Form["note"]},
	}
	if p.Form["refund"] != "" {
		n.Kind, n.ExternalID = payment.NoticeRefund, p.Form["refund"]
		n.Amount, _ = money.Parse(p.Form["amount"])
		n.Fields["refund"] = p.Form["refund"]
	}
	if p.Form["dispute"] != "" {
		n.Kind, n.ExternalID, n.Fields["dispute"] = payment.NoticeDispute, p.Form["dispute"], p.Form["dispute"]
	}
	return n, nil
}

// Verify answers what was decided, unknown where nothing was.
func (g *Gateway) Verify(_ context.Context, txn, _ string) (payment.Outcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.verified++
	if g.down {
		return payment.Outcome{}, errs.Unavailable(errors.New("the gateway is down"))
	}
	if o, ok := g.outcomes[txn]; ok {
		return o, nil
	}
	return payment.Outcome{Status: payment.StatusUnknown, Fields: map[string]string{"status": "unknown"}}, nil
}

// Refund gives back what is left of a capture, once a token; more than that it refuses.
func (g *Gateway) Refund(_ context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests[r.Token]++
	if o, ok := g.refunds[r.Token]; ok {
		return o, nil
	}
	o := payment.RefundOutcome{RefundID: "R" + r.Token, Done: true}
	captured := g.outcomes[r.TransactionID].Amount
	if g.back[r.GatewayPaymentID]+r.Amount > captured {
		o = payment.RefundOutcome{Failed: true, Reason: "More than what is left of the payment"}
	} else if g.isSlow {
		o.Done = false
		g.slow[o.RefundID] = slowRefund{asked: r, outcome: o}
	} else {
		g.goesBack(r.TransactionID, r.GatewayPaymentID, o.RefundID, r.Amount)
	}
	g.refunds[r.Token] = o
	return o, nil
}

// SetSlow makes refunds take until EndRefund, or be done at once again.
func (g *Gateway) SetSlow(slow bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isSlow = slow
}

// EndRefund says what became of a refund that took its time, named as the gateway does.
func (g *Gateway) EndRefund(o payment.RefundOutcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked := g.slow[o.RefundID].asked
	if o.Done {
		g.goesBack(asked.TransactionID, asked.GatewayPaymentID, o.RefundID, asked.Amount)
	}
	g.slow[o.RefundID] = slowRefund{asked: asked, outcome: o}
}

// RefundStatus says that a refund is done, unless it takes its time.
func (g *Gateway) RefundStatus(_ context.Context, _ payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r, ok := g.slow[refundID]; ok {
		return r.outcome, nil
	}
	return payment.RefundOutcome{RefundID: refundID, Done: true}, nil
}

// Dispute answers what DisputeNotice said last.
func (g *Gateway) Dispute(_ context.Context, disputeID string) (payment.DisputeOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.disputes[disputeID], nil
}

// Settlements gives the Lines.
func (g *Gateway) Settlements(context.Context, string) ([]payment.SettlementLine, error) {
	return g.Lines, nil
}
