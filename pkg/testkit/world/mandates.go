package world

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Mandates is the part of the world's gateway that debits by mandate. Tests set its answers; it keeps the requests.
type Mandates struct {
	*Gateway

	mu sync.Mutex
	// Cause, if set, is why the next debits fail; Refuses why the next notices do.
	Cause, Refuses mandate.Cause
	// Processing leaves debits undecided until Finish. Loses makes the debit and loses the answer; Unheard loses the request.
	Processing, Loses, Unheard bool
	// NotAccepted refuses debit requests; Busy asks the caller to send notices again later.
	NotAccepted, Busy bool
	// Cap is the largest limit that the bank confirms, 0 for the requested limit.
	Cap      money.Paise
	clock    clock.Clock
	states   map[string]mandate.ProviderState
	notices  map[string]Noticed
	debits   map[string]Debited
	inOrder  []string
	withdrew []string
	witness  witness
	only     map[string]mandate.ProviderState // what became of registrations without a payment, by transaction
	decides  map[string]time.Time             // when a bank decides a debit, for random lives
}

// Noticed is a notice that the gateway took.
type Noticed struct {
	mandate.Notice
	MandateID string
	At        time.Time
}

// Debited is a debit that the gateway made or tried.
type Debited struct {
	mandate.Debit
	MandateID string
	Method    mandate.Method
	At        time.Time
	Status    payment.Status
}

func newMandates(g *Gateway, clk clock.Clock) *Mandates {
	return &Mandates{
		Gateway: g, clock: clk, states: map[string]mandate.ProviderState{}, notices: map[string]Noticed{}, debits: map[string]Debited{},
		witness: newWitness(), only: map[string]mandate.ProviderState{}, decides: map[string]time.Time{},
	}
}

// Set changes the gateway's answers.
func (g *Mandates) Set(change func(*Mandates)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change(g)
}

// SetState sets a mandate's state as the bank or the customer's app does, without a notice.
func (g *Mandates) SetState(id string, s mandate.ProviderState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.states[id] = s
}

// Debits returns the requested debits in order; DebitsOf returns those of one mandate.
func (g *Mandates) Debits() []Debited { return g.DebitsOf("") }

// DebitsOf returns the requested debits of a mandate, in order.
func (g *Mandates) DebitsOf(id string) []Debited {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]Debited, 0, len(g.inOrder))
	for _, txn := range g.inOrder {
		if d := g.debits[txn]; id == "" || d.MandateID == id {
			all = append(all, d)
		}
	}
	return all
}

// NoticesOf returns the notices of a mandate.
func (g *Mandates) NoticesOf(id string) []Noticed {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Noticed
	for _, n := range g.notices {
		if n.MandateID == id {
			all = append(all, n)
		}
	}
	return all
}

// WithdrawnOf returns how many notices of a mandate were taken back.
func (g *Mandates) WithdrawnOf(id string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, token := range g.withdrew {
		if g.notices[token].MandateID == id {
			n++
		}
	}
	return n
}

// Forget forgets the states of a mandate that a story leaves behind.
func (g *Mandates) Forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.states, id)
}

// Stopped reports whether we ended a mandate.
func (g *Mandates) Stopped(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.witness.stops[id].IsZero() && g.states[id] == mandate.ProviderRevoked
}

// Finish decides every debit that is being processed.
func (g *Mandates) Finish(status payment.Status) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for txn, d := range g.debits {
		if d.Status == payment.StatusPending {
			d.Status = status
			g.debits[txn] = d
			g.Decide(txn, status, d.Charge.Amount)
		}
	}
}

// Register opens the session of the payment; the mandate begins once that is paid. Without a payment it begins once it is authorised.
func (g *Mandates) Register(ctx context.Context, r mandate.Registration) (payment.Session, error) {
	if r.Charge.Amount == 0 {
		g.Set(func(g *Mandates) {
			if g.only[r.Charge.TransactionID] == "" {
				g.only[r.Charge.TransactionID] = mandate.ProviderUnknown
			}
		})
	}
	return g.Begin(ctx, r.Charge)
}

// Authorise sets the result of a registration without a payment: pending until the bank confirms it.
func (g *Mandates) Authorise(txn string, s mandate.ProviderState) {
	g.Set(func(g *Mandates) {
		g.only[txn] = s
		g.states["M"+txn] = s
	})
}

// registeredOnly reports a registration without a payment.
func (g *Mandates) registeredOnly(txn string) mandate.Details {
	d := mandate.Details{State: g.only[txn]}
	switch d.State {
	case mandate.ProviderUnknown:
		return d
	case mandate.ProviderFailed:
		d.Reason = "The bank has rejected the mandate."
	default:
		d.State = g.states["M"+txn]
	}
	d.Reference, d.Masked, d.Cap = mandate.Reference{MandateID: "M" + txn, Method: mandate.MethodENACH}, "HDFC", g.Cap
	return d
}

// Registered reports the mandate of a payment that was made.
func (g *Mandates) Registered(_ context.Context, txn, _ string) (mandate.Details, error) {
	status := g.Outcome(txn).Status
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.only[txn] != "" {
		return g.registeredOnly(txn), nil
	}
	if status == payment.StatusFailed {
		return mandate.Details{State: mandate.ProviderFailed}, nil
	}
	if status != payment.StatusPaid {
		return mandate.Details{State: mandate.ProviderPending}, nil
	}
	id := "M" + txn
	if g.states[id] == "" {
		g.states[id] = mandate.ProviderActive
	}
	return mandate.Details{Reference: mandate.Reference{MandateID: id}, State: g.states[id], Masked: "asha•••@upi", Cap: g.Cap}, nil
}

// State returns the mandate's state.
func (g *Mandates) State(_ context.Context, m mandate.Reference) (mandate.Details, error) {
	time.Sleep(g.Takes)
	g.mu.Lock()
	defer g.mu.Unlock()
	return mandate.Details{Reference: m, State: g.states[m.MandateID], Cap: g.Cap}, nil
}

// Notify takes a notice of a mandate that works.
func (g *Mandates) Notify(_ context.Context, m mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	time.Sleep(g.Takes)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Busy {
		return mandate.NoticeOutcome{Later: true, Reason: "Please retry after some time."}, nil
	}
	if c := g.stopped(m); c != mandate.CauseNone || g.Refuses != mandate.CauseNone {
		if c == mandate.CauseNone {
			c = g.Refuses
		}
		return mandate.NoticeOutcome{Cause: c, Reason: string(c)}, nil
	}
	if _, known := g.notices[n.Token]; !known {
		g.notices[n.Token] = Noticed{Notice: n, MandateID: m.MandateID, At: g.clock.Now()}
	}
	return mandate.NoticeOutcome{Reference: "N" + n.Token, Accepted: true}, nil
}

func (g *Mandates) stopped(m mandate.Reference) mandate.Cause {
	switch g.states[m.MandateID] {
	case mandate.ProviderActive:
		return mandate.CauseNone
	case mandate.ProviderPaused:
		return mandate.CausePaused
	default:
		return mandate.CauseEnded
	}
}

// WithdrawNotice takes a notice back.
func (g *Mandates) WithdrawNotice(_ context.Context, _ mandate.Reference, n mandate.Notice) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.withdrew = append(g.withdrew, n.Token)
	return true, nil
}

// Debit debits once a transaction.
func (g *Mandates) Debit(_ context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	time.Sleep(g.Takes)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.NotAccepted {
		return mandate.DebitOutcome{}, mandate.ErrNotAccepted
	}
	if g.Unheard {
		return mandate.DebitOutcome{}, errs.Unavailable(errors.New("the request was lost"))
	}
	made, known := g.debits[d.Charge.TransactionID]
	cause := g.Cause
	if c := g.stopped(m); c != mandate.CauseNone {
		cause = c
	}
	if n, noticed := g.notices[d.Notice.Token]; !noticed || n.Amount != d.Charge.Amount || g.clock.Now().Sub(n.At) < 24*time.Hour {
		cause = mandate.CauseNoNotice
	}
	if !known {
		made = Debited{Debit: d, MandateID: m.MandateID, Method: m.Method, At: g.clock.Now(), Status: payment.StatusPaid}
		switch {
		case cause != mandate.CauseNone:
			made.Status = payment.StatusFailed
		case g.Processing:
			made.Status = payment.StatusPending
		}
		g.judge(made)
		g.debits[d.Charge.TransactionID] = made
		g.inOrder = append(g.inOrder, d.Charge.TransactionID)
		g.Decide(d.Charge.TransactionID, made.Status, d.Charge.Amount)
	}
	if g.Loses {
		return mandate.DebitOutcome{}, errs.Unavailable(errors.New("the answer was lost"))
	}
	out := mandate.DebitOutcome{Status: made.Status}
	if made.Status == payment.StatusFailed {
		out.Cause, out.Reason = cause, string(cause)
	}
	return out, nil
}

// Revoke ends the mandate.
func (g *Mandates) Revoke(_ context.Context, m mandate.Reference) (mandate.Details, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.witness.stops[m.MandateID] = g.clock.Now()
	if g.states[m.MandateID] == mandate.ProviderPending { // PayU ends only mandates that the bank has confirmed
		return mandate.Details{}, errs.Unavailable(errors.New("mandate is not active"))
	}
	g.states[m.MandateID] = mandate.ProviderRevoked
	return mandate.Details{Reference: m, State: mandate.ProviderRevoked}, nil
}

// ReadMandate reads an unsigned notice about a mandate.
func (*Mandates) ReadMandate(p payment.Incoming) (mandate.Hint, error) {
	if p.Form["mandate"] == "" {
		return mandate.Hint{}, payment.ErrSignature
	}
	return mandate.Hint{MandateID: p.Form["mandate"], Key: p.Form["mandate"]}, nil
}
