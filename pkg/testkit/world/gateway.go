package world

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// GatewayName is the name of the world's gateway.
const GatewayName = "fake"

// Providers describe the world's gateway and those of the product.
func Providers() payment.Providers {
	own := payment.Provider{Name: GatewayName, Title: "Fake Pay", RefundArrives: func(string) string { return "within 2 to 7 days" }}
	return append(app.Gateways().Providers(), own)
}

// Gateway is a payment provider whose outcomes are set from outside. Its notices of payments and disputes are signed
// with a hash of some of their fields; its notices of refunds are unsigned, as PayU's are.
type Gateway struct {
	// Lines, if set, replace the gateway's computed settlements, whatever the day; do not compare settlements while
	// they are set.
	Lines []settlement.Line
	// SettlementsFail means that no settlement can be read.
	SettlementsFail bool

	// Late replaces the settlement lines of single days.
	Late map[string][]settlement.Line

	// Least is the least amount that it refunds; zero is a paisa.
	Least money.Paise
	// Window is how long it refunds a payment after its capture; zero is for ever.
	Window time.Duration
	// AcceptsNoRefund makes every request for a refund wait.
	AcceptsNoRefund bool

	// Takes is how long an answer takes, of the machine's time.
	Takes time.Duration

	clock    clock.Clock
	mu       sync.Mutex
	outcomes map[string]payment.Outcome
	back     map[string]money.Paise // refunded amount by capture
	refunds  map[string]payment.RefundOutcome
	listed   map[string][]payment.RefundRecord // every refund, by capture
	disputes map[string]payment.DisputeOutcome
	requests map[string]int
	isSlow   bool
	slowOf   map[string]bool       // transactions whose refunds are slow
	slow     map[string]slowRefund // by the gateway's id
	down     bool
	refuses  bool
	loses    bool
	verified int
	paid     payouts
}

// slowRefund is a slow refund and its progress.
type slowRefund struct {
	asked   payment.RefundRequest
	outcome payment.RefundOutcome
}

func newGateway(clk clock.Clock) *Gateway {
	return &Gateway{
		clock:    clk,
		outcomes: map[string]payment.Outcome{}, back: map[string]money.Paise{}, refunds: map[string]payment.RefundOutcome{},
		disputes: map[string]payment.DisputeOutcome{}, requests: map[string]int{}, slow: map[string]slowRefund{},
		listed: map[string][]payment.RefundRecord{},
		slowOf: map[string]bool{},
	}
}

// Decide sets the outcome of a transaction; the capture is named after it.
func (g *Gateway) Decide(txn string, status payment.Status, amount money.Paise) {
	g.DecideAs(txn, "G"+txn, status, amount)
}

// DecideAs is Decide with the capture's own name: a different name is a second capture of the same transaction.
func (g *Gateway) DecideAs(txn, capture string, status payment.Status, amount money.Paise) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := g.outcomes[txn]; status == payment.StatusPaid && (before.Status != status || before.GatewayPaymentID != capture) {
		g.paid.move(g.clock.Now(), 2, settlement.Line{
			ID: capture, Kind: settlement.KindCapture, TransactionID: txn, GatewayPaymentID: capture, Amount: amount,
		})
	}
	g.outcomes[txn] = payment.Outcome{
		Status: status, Amount: amount, Currency: payment.Currency, GatewayPaymentID: capture, Slug: "upi",
		BankReference: "UTR-" + txn,
		Fields:        map[string]string{"txnid": txn, "status": string(status), "amount": amount.Decimal(), "capture": capture},
	}
}

// CaptureAgain captures a transaction a second time under a different name, which only the settlement reports.
func (g *Gateway) CaptureAgain(txn, capture string, amount money.Paise) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paid.move(g.clock.Now(), 2, settlement.Line{
		ID: capture, Kind: settlement.KindCapture, TransactionID: txn, GatewayPaymentID: capture, Amount: amount,
	})
}

// Capture returns how much of the transaction was captured under the name.
func (g *Gateway) Capture(_ context.Context, txn, capture string) (*payment.Capture, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.paid.lines {
		if l.Kind == settlement.KindCapture && l.TransactionID == txn && l.GatewayPaymentID == capture {
			return &payment.Capture{GatewayPaymentID: capture, Amount: l.Amount}, nil
		}
	}
	return nil, nil // no capture with that name
}

// Change changes the gateway's answer about a transaction.
func (g *Gateway) Change(txn string, change func(*payment.Outcome)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.outcomes[txn]
	change(&o)
	g.outcomes[txn] = o
}

// Outcome returns the current outcome of a transaction.
func (g *Gateway) Outcome(txn string) payment.Outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outcomes[txn]
}

// SetDown makes the gateway stop or resume responding.
func (g *Gateway) SetDown(down bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = down
}

// RefundRequests returns how often each refund was requested, by token.
func (g *Gateway) RefundRequests() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.requests
}

// Verified returns how often a transaction was queried.
func (g *Gateway) Verified() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.verified
}

// keepsBack deducts a refund or a chargeback from the next payout, or pays one out again.
func (g *Gateway) keepsBack(kind settlement.Kind, txn, capture, name string, amount money.Paise) {
	g.paid.move(g.clock.Now(), 1, settlement.Line{
		ID: name, Kind: kind, TransactionID: txn, GatewayPaymentID: capture, RefundID: name, Amount: amount,
	})
}

// goesBack records a completed refund and deducts it from the next payout.
func (g *Gateway) goesBack(txn, capture, name string, amount money.Paise) {
	g.back[capture] += amount
	g.keepsBack(settlement.KindRefund, txn, capture, name, amount)
}

// Notice returns the gateway's webhook about a transaction.
func (g *Gateway) Notice(txn string) payment.Incoming {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Signed(map[string]string{
		"txnid": txn, "status": string(g.outcomes[txn].Status), "note": g.outcomes[txn].GatewayPaymentID,
	})
}

// RefundNotice returns the gateway's unsigned webhook about a refund made on its dashboard and completed immediately.
func (g *Gateway) RefundNotice(txn, refundID string, amount money.Paise) payment.Incoming {
	g.mu.Lock()
	defer g.mu.Unlock()
	capture := cmp.Or(g.outcomes[txn].GatewayPaymentID, "G"+txn)
	g.goesBack(txn, capture, refundID, amount)
	g.list(capture, "", payment.RefundOutcome{RefundID: refundID, Done: true}, amount)
	return Hint(map[string]string{"about": "refund", "txnid": txn, "capture": capture, "refund": refundID, "amount": amount.Decimal()})
}

// list records a refund under its capture, or updates its outcome.
func (g *Gateway) list(capture, token string, o payment.RefundOutcome, amount money.Paise) {
	for i, r := range g.listed[capture] {
		if r.RefundID == o.RefundID {
			g.listed[capture][i].RefundOutcome = o
			return
		}
	}
	g.listed[capture] = append(g.listed[capture], payment.RefundRecord{RefundOutcome: o, Token: token, Amount: amount})
}

// Hint returns an unsigned notice: anybody can post it.
func Hint(f map[string]string) payment.Incoming {
	body, _ := json.Marshal(f) // a map of strings marshals
	return payment.Incoming{Body: body}
}

// Left returns how much of a transaction's capture has not been refunded.
func (g *Gateway) Left(txn string) money.Paise {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.outcomes[txn]
	if o.Status != payment.StatusPaid {
		return 0
	}
	return o.Amount - g.back[o.GatewayPaymentID]
}

// DisputeNotice returns the gateway's webhook about a dispute; from now on the gateway reports o for it. The next payout deducts the
// disputed amount, and a later payout returns it after a win.
func (g *Gateway) DisputeNotice(txn, disputeID string, o payment.DisputeOutcome) payment.Incoming {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.disputes[disputeID] = o
	capture := g.outcomes[txn].GatewayPaymentID
	g.keepsBack(settlement.KindChargeback, txn, capture, disputeID, o.Amount)
	switch o.State {
	case payment.DisputeLost:
		g.back[capture] += o.Amount
	case payment.DisputeWon:
		g.keepsBack(settlement.KindChargebackReversal, txn, capture, disputeID, o.Amount)
	case payment.DisputeOpen, payment.DisputeDismissed: // deducted until it is decided
	}
	return Signed(map[string]string{"txnid": txn, "status": "paid", "dispute": disputeID, "note": string(o.State)})
}

// Signed returns the form with the gateway's hash.
func Signed(f map[string]string) payment.Incoming {
	f["hash"] = Sign(f)
	return payment.Incoming{Form: f}
}

// Sign returns the hash of a form's signed fields.
func Sign(f map[string]string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(f["txnid"]+"/"+f["status"]+"/"+f["dispute"]+"/"+f["amount"])))
}

// Name returns GatewayName.
func (*Gateway) Name() string { return GatewayName }

// Begin opens a session, always the same one for a transaction.
func (g *Gateway) Begin(_ context.Context, c payment.Charge) (payment.Session, error) {
	return payment.Session{URL: "https://gateway.example/_payment", Fields: map[string]string{
		"txnid": c.TransactionID, "amount": c.Amount.Decimal(), "hash": "h", "method": string(c.Method),
	}}, nil
}

// LeastRefund returns the least amount that it refunds.
func (g *Gateway) LeastRefund() money.Paise { return max(1, g.Least) }

// RefundableFor returns how long it refunds a payment.
func (g *Gateway) RefundableFor() time.Duration { return g.Window }

// IsReference reports whether the field holds our transaction id.
func (*Gateway) IsReference(field string) bool { return field == "txnid" }

// Read accepts a form made by Signed, whatever unsigned fields it has in addition, or a hint.
func (g *Gateway) Read(p payment.Incoming) (payment.Notice, error) {
	if len(p.Form) == 0 {
		return readHint(p.Body)
	}
	if p.Form["hash"] == "" || p.Form["hash"] != Sign(p.Form) {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: payment.NoticePayment, Signed: true, TransactionID: p.Form["txnid"], Status: payment.Status(p.Form["status"]),
		Key:    p.Form["hash"] + p.Form["note"],
		Fields: map[string]string{"txnid": p.Form["txnid"], "status": p.Form["status"], "note": p.Form["note"]},
	}
	if p.Form["dispute"] != "" {
		n.Kind, n.ExternalID, n.Fields["dispute"] = payment.NoticeDispute, p.Form["dispute"], p.Form["dispute"]
	}
	return n, nil
}

func readHint(body []byte) (payment.Notice, error) {
	var f map[string]string
	if json.Unmarshal(body, &f) != nil {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: payment.NoticeKind(f["about"]), TransactionID: f["txnid"], GatewayPaymentID: f["capture"], ExternalID: f["refund"] + f["dispute"],
		Key: f["refund"] + f["dispute"], Fields: f,
	}
	n.Amount, _ = money.Parse(f["amount"])
	if n.Kind != payment.NoticeRefund && n.Kind != payment.NoticeDispute || n.ExternalID == "" {
		return payment.Notice{}, payment.ErrSignature
	}
	return n, nil
}

// Verify returns the outcome that was set, or unknown.
func (g *Gateway) Verify(_ context.Context, txn, _ string) (payment.Outcome, error) {
	time.Sleep(g.Takes)
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

// Refund refunds from the remainder of a capture, once per token; it refuses a larger amount.
func (g *Gateway) Refund(_ context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests[r.Token]++
	if o, ok := g.refunds[r.Token]; ok {
		if g.refuses {
			return payment.RefundOutcome{Waiting: true, Reason: "Token already used or request pending"}, nil
		}
		return o, nil
	}
	if g.AcceptsNoRefund {
		return payment.RefundOutcome{Waiting: true, Reason: "Your account balance is too low"}, nil
	}
	o := payment.RefundOutcome{RefundID: "R" + r.Token, Done: true}
	captured := g.outcomes[r.TransactionID].Amount
	if g.back[r.GatewayPaymentID]+r.Amount > captured {
		o = payment.RefundOutcome{Failed: true, Reason: "More than what is left of the payment"}
	} else if g.isSlow || g.slowOf[r.TransactionID] {
		o.Done = false
		g.back[r.GatewayPaymentID] += r.Amount
		g.slow[o.RefundID] = slowRefund{asked: r, outcome: o}
		g.keepsBack(settlement.KindRefund, r.TransactionID, r.GatewayPaymentID, o.RefundID, r.Amount)
	} else {
		g.goesBack(r.TransactionID, r.GatewayPaymentID, o.RefundID, r.Amount)
	}
	g.refunds[r.Token] = o
	if o.RefundID != "" {
		g.list(r.GatewayPaymentID, r.Token, o, r.Amount)
	}
	if g.loses {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("the answer was lost"))
	}
	return o, nil
}

// SetRefusesRepeats makes the gateway accept each token once and then refuse it, as PayU does, without reporting the
// outcome.
func (g *Gateway) SetRefusesRepeats(refuses bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refuses = refuses
}

// SetLosesAnswers makes every requested refund succeed while its response is lost.
func (g *Gateway) SetLosesAnswers(loses bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.loses = loses
}

// Refunds lists the refunds of a capture.
func (g *Gateway) Refunds(_ context.Context, _, capture string) ([]payment.RefundRecord, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.down {
		return nil, errs.Unavailable(errors.New("the gateway is down"))
	}
	return slices.Clone(g.listed[capture]), nil
}

// SetSlow makes refunds take until EndRefund, or complete immediately again.
func (g *Gateway) SetSlow(slow bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isSlow = slow
}

// SlowRefunds makes the refunds of one transaction take until EndRefund.
func (g *Gateway) SlowRefunds(txn string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slowOf[txn] = true
}

// EndRefund sets the outcome of a slow refund, by the gateway's id. It was deducted from a payout when it was
// requested; if it failed, it is paid out again.
func (g *Gateway) EndRefund(o payment.RefundOutcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before, ok := g.slow[o.RefundID]
	if !ok || before.outcome.Done || before.outcome.Failed {
		return
	}
	asked := before.asked
	if o.Failed {
		g.back[asked.GatewayPaymentID] -= asked.Amount
		g.keepsBack(settlement.KindRefundReversal, asked.TransactionID, asked.GatewayPaymentID, o.RefundID, asked.Amount)
	}
	g.slow[o.RefundID] = slowRefund{asked: asked, outcome: o}
	g.list(asked.GatewayPaymentID, asked.Token, o, asked.Amount)
}

// RefundStatus reports a refund as done, unless it is slow.
func (g *Gateway) RefundStatus(_ context.Context, _ payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r, ok := g.slow[refundID]; ok {
		return r.outcome, nil
	}
	return payment.RefundOutcome{RefundID: refundID, Done: true}, nil
}

// Dispute returns the last outcome given to DisputeNotice.
func (g *Gateway) Dispute(_ context.Context, disputeID string) (payment.DisputeOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.disputes[disputeID], nil
}
