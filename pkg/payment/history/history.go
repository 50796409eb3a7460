package history

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Query selects rows of a list. Search matches a substring, ignoring case, with no wildcards.
// After selects the rows following another, at constant cost however far down it is; Offset skips rows.
type Query struct {
	Search string
	After  *Cursor
	Offset int
	Limit  int
}

// Cursor is the position of a row in a list, newest first.
type Cursor struct {
	At time.Time
	ID string
}

// String returns the cursor in the form that clients send back.
func (c Cursor) String() string { return strconv.FormatInt(c.At.UnixMicro(), 36) + "." + c.ID }

// ParseCursor parses the output of String; ok is false for anything else.
func ParseCursor(text string) (c Cursor, ok bool) {
	at, name, found := strings.Cut(text, ".")
	micros, err := strconv.ParseInt(at, 36, 64)
	return Cursor{At: time.UnixMicro(micros).UTC(), ID: name}, found && err == nil && micros > 0 && id.Valid(name)
}

// OrderRow is a row of the list of orders.
type OrderRow struct {
	ID string
	// Place is the row's position in the list.
	Place          Cursor
	Kind           subscription.Kind
	PlanID         string
	ServiceID      string
	PlanName       string
	ServiceName    string
	Type           plan.Type
	AddOnIDs       []string
	AddOnNames     []string
	SubscriptionID string
	TransactionID  string
	InvoiceID      string
	InvoiceNumber  string
	Total          money.Paise
	// List is the list price of its plan, before GST; 0 if no discount is taken off it.
	List money.Paise
	// Returned is the returned part of its payment, with the payment's documents.
	Returned    Returned
	PurchasedOn subscription.Day
	// EndsOn is the last day of the purchased term, RenewsOn its renewal day; both are zero if it is unpaid.
	EndsOn, RenewsOn subscription.Day
	Status           string
	// PaymentState, Reason and Cancelled match the result page of its payment; the state is empty if there is no payment.
	PaymentState, Reason string
	Cancelled            bool
}

// The values of an order's status.
const (
	orderInactive  = "Inactive"
	orderActive    = "Active"
	orderTrial     = "Free trial"
	orderGrace     = "Grace"
	orderExpired   = "Expired"
	orderScheduled = "Scheduled"
	orderReplaced  = "Replaced"
	orderCancelled = "Cancelled"
	orderHeld      = "Under review"
	orderPending   = "Being confirmed"
	orderRefunded  = "Refunded"
)

// orderStatus combines the states of the order, its term and the subscription into one word.
func orderStatus(order subscription.OrderState, term subscription.TermStatus, sub subscription.State, renewOn, today subscription.Day) string {
	switch order {
	case subscription.OrderOpen:
		return orderInactive
	case subscription.OrderSuperseded, subscription.OrderCancelled:
		return orderCancelled
	case subscription.OrderScheduled:
		return orderScheduled
	case subscription.OrderDone:
		return orderReplaced
	case subscription.OrderPaid:
	}
	switch {
	case term == subscription.TermScheduled:
		return orderScheduled
	case term == subscription.TermReplaced, term == "" && renewOn <= today && !sub.Ended():
		return orderReplaced
	case term == subscription.TermEnded && !sub.Ended():
		return orderReplaced
	}
	switch sub {
	case subscription.StateTrialing:
		return orderTrial
	case subscription.StateGrace:
		return orderGrace
	case subscription.StateExpired, subscription.StateLapsed:
		return orderExpired
	default:
		return orderActive
	}
}

// Orders lists the franchiser's orders, newest first, and counts them up to CountCap.
func (s *Service) Orders(ctx context.Context, franchiserID string, q Query) (rows []OrderRow, total int, err error) {
	q.Search = strings.ToLower(strings.TrimSpace(q.Search))
	err = postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		rows, total, err = listOrders(ctx, tx, s.providers, franchiserID, q, subscription.DayOf(s.clock.Now()))
		return err
	})
	return rows, total, err
}

// Row is a row of the list of payments.
type Row struct {
	payment.Payment
	Kind          subscription.Kind
	PGCharge      money.Paise
	InvoiceID     string
	InvoiceNumber string
	// Returned is the returned part, with its documents.
	Returned Returned
}

// Place returns the row's position in the list.
func (r Row) Place() Cursor { return Cursor{At: r.CreatedAt, ID: r.ID} }

// Status returns the specification's number for the payment.
func (r Row) Status() subscription.PaymentStatus {
	switch r.State {
	case payment.StatePaid, payment.StateRefunded:
		return subscription.PaymentPaid
	case payment.StateExpired:
		return subscription.PaymentExpired
	default:
		return subscription.PaymentUnpaid
	}
}

// Moved returns the amount that left the customer's account, or the amount requested if nothing did.
func (r Row) Moved() money.Paise {
	if r.Captured > 0 {
		return r.Captured
	}
	return r.Amount
}

// Cancelled reports whether the customer cancelled it at the gateway.
func (r Row) Cancelled() bool {
	return r.State == payment.StateFailed && r.Reason == payment.ReasonCancelled
}

// Date returns when it was paid, or when it was begun if it is unpaid.
func (r Row) Date() time.Time {
	if r.State.Received() && !r.DecidedAt.IsZero() {
		return r.DecidedAt
	}
	return r.CreatedAt
}

// Payments lists the franchiser's payments, newest first, and counts them up to CountCap.
func (s *Service) Payments(ctx context.Context, franchiserID string, q Query) (rows []Row, total int, err error) {
	q.Search = strings.ToLower(strings.TrimSpace(q.Search))
	err = postgres.InTenantRead(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		rows, total, err = listPayments(ctx, tx, s.providers, franchiserID, q)
		return err
	})
	return rows, total, err
}

// Result is the content of a transaction's result page.
type Result struct {
	Row
	PlanID    string
	PlanName  string
	PlanType  plan.Type
	ServiceID string
	AddOnIDs  []string
	HasStore  bool
	// OrderPaid reports whether the order was paid, by this payment or another one.
	OrderPaid bool
	// returned is the status with which the browser last came back; empty if it did not.
	returned payment.Status
	// answered reports whether the gateway has answered about it.
	answered bool
	now      time.Time
}

// unpaid reports whether the gateway knows of no payment, and the browser did not claim one.
func (r Result) unpaid() bool {
	return r.State == payment.StateCreated && !r.ByMandate && r.answered && r.returned != payment.StatusPaid && r.returned != payment.StatusPending
}

// The states of a result. Unpaid means that the customer may still pay it. NotCharged, no money left the account, is reported only after the last check at the gateway.
const (
	ResultConfirming = "confirming"
	ResultUnpaid     = "unpaid"
	ResultPaid       = "paid"
	ResultFailed     = "failed"
	ResultHeld       = "held"
	ResultExpired    = "expired"

	Charged        = "charged"
	NotCharged     = "not_charged"
	ChargedUnknown = "unknown"
)

// stillOwed rewrites a reason to say that the refund it announced has not succeeded yet.
func stillOwed(reason string) string {
	return strings.NewReplacer(
		"All of it is being refunded", "It could not be refunded yet; our team is working on it",
		"all of it is being refunded", "it could not be refunded yet; our team is working on it",
		"is being refunded", "could not be refunded yet; our team is working on it",
	).Replace(reason)
}

// Outcome returns what to show the customer: state, reason in our own words (may be empty) and whether money left the account.
func (r Result) Outcome() (state, reason, charged string) {
	reason = r.Reason
	switch {
	case r.State == payment.StateFailed:
		reason = plainFailure(reason)
	case r.Surplus && reason == "" && r.OrderPaid:
		reason = reasonSurplus
	case r.Surplus && reason == "":
		reason = reasonChanged
	}
	switch { // the reason was written when the refund began
	case r.Returned.Owed > 0:
		reason = stillOwed(reason)
	case r.Returned.Done > 0 && r.Returned.Going == 0:
		reason = strings.ReplaceAll(reason, "is being refunded", "was refunded")
	}
	switch {
	case r.Surplus:
		return ResultFailed, reason, Charged
	case r.State == payment.StatePaid || r.State == payment.StateRefunded:
		return ResultPaid, reason, Charged
	case r.State == payment.StateFailed && !r.NextCheckAt.IsZero(): // it may still become paid
		return ResultFailed, reason, ChargedUnknown
	case r.State == payment.StateFailed:
		return ResultFailed, reason, NotCharged
	case r.State == payment.StateExpired:
		return ResultExpired, reason, ChargedUnknown
	case r.State == payment.StateHeld:
		return ResultHeld, reason, Charged
	case r.unpaid():
		return ResultUnpaid, "", ChargedUnknown
	default:
		return ResultConfirming, "", ChargedUnknown
	}
}

// PollAfter returns after how many seconds to poll again, 0 for never: often at first, then less. Refunds take days.
func (r Result) PollAfter() int {
	switch age := r.now.Sub(r.CreatedAt); {
	case !r.State.Open() && r.Returned.moves():
		return 60
	case !r.State.Open():
		return 0
	case age < 15*time.Minute:
		return 2
	case age < time.Hour:
		return 10
	default:
		return 60
	}
}

// Reselectable reports whether the same choice can be made again from the plan's page.
func (r Result) Reselectable() bool {
	return r.Kind == subscription.KindNew || r.Kind == subscription.KindUpgrade
}

// Result returns the outcome of a transaction, or errs.NotFound if it is unknown or another franchiser's.
func (s *Service) Result(ctx context.Context, franchiserID, transactionID string) (Result, error) {
	var r *Result
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		r, err = FindResult(ctx, tx, s.providers, franchiserID, transactionID)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	if r == nil {
		return Result{}, errs.NotFound()
	}
	r.now = s.clock.Now()
	return *r, nil
}
