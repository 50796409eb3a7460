package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Customer is a customer's identity and current state; dates are days in India.
type Customer struct {
	ID          string     `db:"id"`
	Name        string     `db:"name"`
	Mobile      string     `db:"mobile"`
	Email       string     `db:"email"`
	CreatedAt   time.Time  `db:"created_at"`
	Erased      bool       `db:"erased"`
	ErasureAt   *time.Time `db:"erasure_at"`
	TOTPEnabled bool       `db:"totp_enabled"`
	State       string     `db:"state"`
	Plan        string     `db:"plan"`
	PlanType    string     `db:"plan_type"`
	RenewOn     *string    `db:"renew_on"`
	// AddOns are the names of the add-ons in force, a unit each.
	AddOns       pq.StringArray `db:"add_ons"`
	StoreName    string         `db:"store_name"`
	StoreSlug    string         `db:"store_slug"`
	DomainID     *string        `db:"domain_id"`
	Domain       string         `db:"domain"`
	DomainState  string         `db:"domain_state"`
	DomainReason string         `db:"domain_reason"`
	Address      string         `db:"address"`
	// PaymentID and the fields after it describe the last payment; PaymentID is nil without one.
	PaymentID          *string       `db:"payment_id"`
	PaymentTransaction string        `db:"payment_transaction"`
	PaymentGateway     string        `db:"payment_gateway"`
	PaymentState       payment.State `db:"payment_state"`
	PaymentReason      string        `db:"payment_reason"`
	PaymentAmount      money.Paise   `db:"payment_paise"`
	// PaymentAt is the time of the decision, or of the request before a decision.
	PaymentAt     *time.Time `db:"payment_at"`
	OpenPayments  int        `db:"open_payments"`
	FailedJobs    int        `db:"failed_jobs"`
	MissingPDFs   int        `db:"missing_documents"`
	OpenSessions  int        `db:"open_sessions"`
	LastSeenAt    *time.Time `db:"last_seen_at"`
	LastCodeError string     `db:"last_code_error"`
	WrongCodes    int        `db:"wrong_codes"`
	LastWrongAt   *time.Time `db:"last_wrong_at"`
	LegalName     string     `db:"legal_name"`
	GSTIN         string     `db:"gstin"`
	// Refunded is the total returned to the customer, by refund or through a bank, in paise.
	Refunded     money.Paise `db:"refunded_paise"`
	OpenDisputes int         `db:"open_disputes"`
	// Owed is the amount to be returned to the customer, in paise.
	Owed money.Paise `db:"owed_paise"`
	// OpenRequests are unfinished staff requests to return money.
	OpenRequests []desk.OpenRequest `db:"-"`
	// OpenActs are unfinished staff requests for an act on the account.
	OpenActs []OpenAct `db:"-"`
	// MobileChange is the scheduled change of a lost mobile, or nil.
	MobileChange *recovery.MobileChange `db:"-"`
	// Team lists the other people who may act in the account.
	Team []team.Member `db:"-"`
	// Mandates are those for automatic renewal, with their debits, the newest first.
	Mandates []mandate.History `db:"-"`

	issues      []desk.Issue
	differences []settlement.Difference
}

// Health is one problem of a customer, worst first: bad needs action, warn may resolve without action.
type Health struct {
	Level string `json:"level"`
	Text  string `json:"text"`
	// Kind is the timeline kind with more details, settlement or approval for those pages, or empty.
	Kind string `json:"kind"`
	// Payment is the transaction concerned, if any.
	Payment string `json:"payment"`
}

// seenAgain is how long repeated views of a customer's page count as one visit.
const seenAgain = 30 * time.Minute

// Customer returns one customer, read under the customer's own row-level security, and records that the member of staff
// viewed it, once per half-hour; KindNotFound if there is no such customer.
func (d *Customers) Customer(ctx context.Context, p staff.Principal, franchiserID string) (Customer, error) {
	var c Customer
	err := postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		if c, err = customerTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if c.issues, err = desk.IssuesTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		transactions, err := payment.Lookup{}.TransactionsTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if c.differences, err = (settlement.Lines{}).OpenTx(ctx, tx, transactions); err != nil {
			return err
		}
		if c.OpenRequests, err = desk.OpenRequestsTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if c.OpenActs, err = openActsTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if c.MobileChange, err = recovery.PendingMoveTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if c.Mandates, err = mandate.HistoryTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if c.Team, err = team.MembersTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		seen, err := staff.DidSinceTx(ctx, tx, p.StaffID, franchiserID, "open_customer", d.clock.Now().Add(-seenAgain))
		if err != nil || seen {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "open_customer", Target: "customer:" + franchiserID, FranchiserRef: &franchiserID, Reason: "Opened the customer's page",
		})
	})
	return c, err
}

// Erasure returns the erasure that the customer requested; nil without a request or after the erasure.
func (c Customer) Erasure() *account.Erasure {
	if c.Erased {
		return nil
	}
	return account.ErasureAsked(c.ErasureAt)
}

// renewOn is the first day that is not paid yet, zero without a plan.
func (c Customer) renewOn() subscription.Day {
	var d subscription.Day
	if c.RenewOn == nil || d.UnmarshalText([]byte(*c.RenewOn)) != nil {
		return 0
	}
	return d
}

const codeMemory = 15 * time.Minute

// Health returns the customer's current problems, and the role's possible actions; may be empty.
func (d *Customers) Health(role staff.Role, c Customer) []Health {
	now := d.clock.Now()
	found := []Health{}
	add := func(when bool, level, kind, text string) {
		if when {
			found = append(found, Health{Level: level, Kind: kind, Text: text})
		}
	}
	add(c.Erased, "bad", "account", "This account was erased. Only tax documents are left.")
	for _, a := range c.OpenActs {
		if a.State == approval.Waiting {
			found = append(found, a.health())
		}
	}
	found = append(found, d.moneyHealth(role, c.issues, c.differences)...)
	if c.MobileChange != nil {
		add(true, "warn", "account", "The account moves to the mobile ending in "+c.MobileChange.Ending()+" on "+c.MobileChange.Due()+" IST, unless it is stopped.")
	}
	add(c.FailedJobs > 0, "bad", "job", counted(c.FailedJobs, "job has failed", "jobs have failed"))
	locked := c.WrongCodes >= account.MaxCodeTries && c.LastWrongAt != nil && now.Before(c.LastWrongAt.Add(codeMemory))
	add(locked, "bad", "code", "Too many wrong codes in one browser, which can try again at "+clockTime(c.LastWrongAt, codeMemory)+" IST. Others can now; “Unlock sign-in” lets all try at once.")
	add(c.LastCodeError != "", "bad", "code", "The last SMS did not arrive: "+message.FailureText(c.LastCodeError))
	add(c.State == "expired" || c.State == "lapsed", "bad", "subscription", "The plan has "+c.State+".")
	add(c.State == "ended_by_refund", "warn", "subscription", "The plan ended with a refund.")
	overdue := c.State == "grace" || c.State == "expired" || c.State == "lapsed"
	for _, p := range mandate.Problems(c.Mandates, c.renewOn(), overdue, now) {
		level := map[bool]string{true: "bad", false: "warn"}[p.Bad]
		add(true, level, "payment", p.Text)
	}
	add(c.DomainState == "broken", "bad", "domain", "The domain "+c.Domain+" is broken: "+c.DomainReason)
	add(c.State == "grace", "warn", "subscription", "The plan is in its days of grace.")
	add(c.DomainState == "pending", "warn", "domain", "The domain "+c.Domain+" waits for its proof: "+c.DomainReason)
	add(c.OpenPayments > 0, "warn", "payment", counted(c.OpenPayments, "payment is not decided yet", "payments are not decided yet"))
	if text := c.lastFailure(d.gatewayTitle(c.PaymentGateway)); text != "" {
		found = append(found, Health{Level: "warn", Kind: "payment", Payment: c.PaymentTransaction, Text: text})
	}
	add(c.MissingPDFs > 0, "warn", "document", counted(c.MissingPDFs, "document has no PDF yet", "documents have no PDF yet"))
	erases := c.Erasure() != nil
	add(erases && c.Owed > 0, "warn", "account", "The erasure waits: "+c.Owed.Display()+" is owed to the customer.")
	add(erases && c.Owed == 0, "warn", "account", "The customer has asked for its account to be erased.")
	return found
}

// lastFailure describes the last payment if it failed or expired, or is empty.
func (c Customer) lastFailure(gateway string) string {
	if c.PaymentAt == nil || c.PaymentState != payment.StateFailed && c.PaymentState != payment.StateExpired {
		return ""
	}
	text := c.PaymentAmount.Display() + " " + string(c.PaymentState) + " at " + gateway + " on " + c.PaymentAt.In(clock.IST).Format("2 Jan 2006, 15:04") + " IST"
	if c.PaymentReason == "" {
		return text + "."
	}
	return text + ": " + c.PaymentReason
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func clockTime(at *time.Time, after time.Duration) string {
	if at == nil {
		return ""
	}
	return at.Add(after).In(clock.IST).Format("15:04")
}

// Mobile returns the state of an unfinished sign-up; KindNotFound for a number that was never entered.
func (d *Customers) Mobile(ctx context.Context, mobile string) (account.MobileState, error) {
	var m account.MobileState
	err := postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		var err error
		m, err = account.MobileStateTx(ctx, tx, mobile)
		if err == nil && m.Messages == 0 && !m.Pending {
			return errs.NotFound()
		}
		return err
	})
	return m, err
}

// Locked reports whether the number is currently locked because of wrong codes.
func (d *Customers) Locked(m account.MobileState) bool {
	return m.WrongCodes >= account.MaxCodeTries && m.LastWrong != nil && d.clock.Now().Before(m.LastWrong.Add(codeMemory))
}
