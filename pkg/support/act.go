package support

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ActKind is the kind of an act that staff request.
type ActKind string

// The kinds of acts.
const (
	// ActShortPayment accepts a payment that is held because less came in than was due.
	ActShortPayment ActKind = "short_payment"
	// ActEndDebit ends a debit by mandate that its bank does not decide.
	ActEndDebit ActKind = "end_debit"
	// ActCorrectRecipient takes an invoice to the wrong recipient back and issues another one in its place.
	ActCorrectRecipient ActKind = "correct_recipient"
	// ActCancelPlan ends everything that the customer has paid for and gives the unused part back.
	ActCancelPlan ActKind = "cancel_plan"
	// ActSwitchPlan gives the customer another plan, tier, cycle or add-ons.
	ActSwitchPlan ActKind = "switch_plan"
	// ActResetAuthenticator takes a lost authenticator app away.
	ActResetAuthenticator ActKind = "reset_authenticator"
	// ActChangeMobile moves an account to another mobile, for a customer who lost the old one.
	ActChangeMobile ActKind = "change_mobile"
	// ActOutageGrace extends the grace of every customer whose grace ended within a period.
	ActOutageGrace ActKind = "outage_grace"
	// ActOpenBooks opens locked books after the day To, or entirely.
	ActOpenBooks ActKind = "open_books"
)

// ofCustomer reports whether the act is about one customer.
func (k ActKind) ofCustomer() bool { return k != ActOutageGrace && k != ActOpenBooks }

// ActStates returns the only allowed transitions of an act.
func ActStates() lifecycle.Table[approval.State] {
	return approval.States(lifecycle.Table[approval.State]{
		approval.Approved:  {approval.Done, approval.Failed, approval.Scheduled},
		approval.Scheduled: {approval.Done, approval.Failed, approval.Stopped},
	})
}

// ActContent is the content of a request; the kind decides which fields are used. It does not change after the request.
type ActContent struct {
	PaymentID string `json:"payment_id,omitempty"`
	InvoiceID string `json:"invoice_id,omitempty"`
	// Recipient is whom the invoice is for.
	Recipient ActRecipient `json:"recipient,omitzero"`
	// Mobile is the new one, ten digits.
	Mobile string `json:"mobile,omitempty"`
	// Checked says how staff know that a lost mobile's account belongs to the customer.
	Checked string `json:"checked,omitempty"`
	// Switch is the plan that is switched to.
	Switch ActSwitch `json:"switch,omitzero"`
	// Day is the first day that counts as unused.
	Day subscription.Day `json:"day,omitzero"`
	// From and To are days, both included. Customers whose grace ended between them receive Days more. For open_books, To is the last day
	// that stays locked.
	From subscription.Day `json:"from,omitzero"`
	To   subscription.Day `json:"to,omitzero"`
	Days int              `json:"days,omitempty"`
}

// ActRecipient is the recipient of an invoice; Address has a line break between its lines.
type ActRecipient struct {
	Name      string            `json:"name,omitempty"`
	Address   string            `json:"address,omitempty"`
	StateCode invoice.StateCode `json:"state_code,omitempty"`
	GSTIN     string            `json:"gstin,omitempty"`
}

// ActSwitch is the plan that a customer is switched to, and how that is settled. AddOnIDs are separated by commas, one for each unit.
type ActSwitch struct {
	TierID     string                  `json:"plan_services_id,omitempty"`
	Type       plan.Type               `json:"plan_type,omitempty"`
	AddOnIDs   string                  `json:"add_ons,omitempty"`
	Settlement subscription.Settlement `json:"settlement,omitempty"`
}

func (s ActSwitch) selection() subscription.Selection {
	sel := subscription.Selection{Type: s.Type, ServiceID: s.TierID}
	if s.AddOnIDs != "" {
		sel.AddOnIDs = strings.Split(s.AddOnIDs, ",")
	}
	return sel
}

func (r ActRecipient) recipient() invoice.Recipient {
	return invoice.Recipient{Name: r.Name, Address: strings.Split(r.Address, "\n"), StateCode: r.StateCode, GSTIN: r.GSTIN}
}

func actRecipient(r invoice.Recipient) ActRecipient {
	return ActRecipient{Name: r.Name, Address: strings.Join(r.Address, "\n"), StateCode: r.StateCode, GSTIN: r.GSTIN}
}

// recorded is the content as the audit keeps it for ever: of a mobile, the last digits and what was checked; of a recipient, neither name nor address.
func (c ActContent) recorded() ActContent {
	c.Recipient.Name, c.Recipient.Address = "", ""
	if c.Mobile != "" {
		c.Mobile = "••••••" + c.Mobile[max(0, len(c.Mobile)-4):]
	}
	return c
}

// ActFact is one fact about an act, which staff see before they request or approve it.
type ActFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type actFacts []ActFact

// Scan implements sql.Scanner.
func (f *actFacts) Scan(value any) error { return scanJSON(value, f) }

// Scan implements sql.Scanner.
func (c *ActContent) Scan(value any) error { return scanJSON(value, c) }

func scanJSON(value, into any) error {
	text, _ := value.([]byte)
	return json.Unmarshal(text, into)
}

// Act is an act that staff requested.
type Act struct {
	approval.Request

	Kind         ActKind    `db:"kind"`
	FranchiserID string     `db:"franchiser_ref"` // empty for an act on many
	Subject      string     `db:"subject"`
	Content      ActContent `db:"content"`
	Facts        actFacts   `db:"facts"`
	Progress     string     `db:"progress"`
	Handled      int        `db:"handled"`
	Outcome      string     `db:"outcome"`
	// CustomerName is for display; only List and the answers to staff set it.
	CustomerName string `db:"-"`
}

// OpenAct is an unfinished act on a customer: it waits for a second person, or was approved and the worker has not done it yet.
type OpenAct struct {
	ID   string  `db:"id"`
	Kind ActKind `db:"kind"`
	// State is approval.Waiting or approval.Approved.
	State       approval.State `db:"state"`
	Amount      money.Paise    `db:"amount_paise"`
	RequestedBy string         `db:"requested_by"`
	// PaymentID and InvoiceID name the payment or invoice of a request about one, otherwise empty.
	PaymentID string `db:"payment_id"`
	InvoiceID string `db:"invoice_id"`
	// About is the first fact of a request about one payment or invoice: its number.
	About string `db:"about"`
}

// health shows staff a request that waits for a second person, so that they do not request the same again.
func (a OpenAct) health() Health {
	title := a.Kind.Title()
	text := a.RequestedBy + " asked to " + strings.ToLower(title[:1]) + title[1:]
	if a.About != "" {
		text += ": " + a.About
	}
	return Health{Level: "warn", Kind: "approval", Text: text + ". A second admin has to approve it."}
}

// Act errors, safe to show.
var (
	// ErrNotScheduled refuses to stop what does not wait for its time.
	ErrNotScheduled = errs.New(errs.KindConflict, "not_scheduled", "Only what waits for its time can be stopped.")
	// ErrActOpen refuses a second request for the same thing while one is unfinished.
	ErrActOpen = errs.New(errs.KindConflict, "request_open", "The same request is already in progress. See the approvals.")
)

// draft is a request as its kind prepares it: its subject, facts and amount, and whether it needs two people for any amount.
type draft struct {
	Content  ActContent
	Subject  string
	Facts    actFacts
	Amount   money.Paise
	Already  money.Paise // counts towards the limit as well
	TwoNeed  bool
	Customer bool // it is for one customer
}

// step is the result of one run of an act: its outcome in words or, for an act on many customers, its progress. After runs once the
// transaction is committed.
type step struct {
	Outcome  string
	Progress string
	Handled  int
	More     bool
	Later    bool // it waits for its time
	After    func(ctx context.Context)
}

// Desk is the part of the accounts that acts need; implemented by recovery.Desk.
type Desk interface {
	HasTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error)
	ResetTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID, about string, now time.Time) (after func(ctx context.Context), err error)
	CheckMoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) (present string, err error)
	ScheduleMoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile, id string, now time.Time) (c recovery.MobileChange, after func(ctx context.Context), err error)
	DueMoveTx(ctx context.Context, tx *sqlx.Tx, id string, now time.Time) (c recovery.MobileChange, due bool, err error)
	ApplyMoveTx(ctx context.Context, tx *sqlx.Tx, c recovery.MobileChange, now time.Time) (after func(ctx context.Context), err error)
	FailMoveTx(ctx context.Context, tx *sqlx.Tx, c recovery.MobileChange, now time.Time) error
	StopMoveTx(ctx context.Context, tx *sqlx.Tx, id string, now time.Time) error
}
