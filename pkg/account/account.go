// Package account handles a franchiser's identity and authentication: sign-up, one-time codes, sign-in, sessions,
// passwords, authenticator apps, and personal data.
package account

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// TermsVersion is the version of the terms and the privacy policy that a sign-up accepts unless it names another.
const TermsVersion = "2026-11-30"

// Lifetimes and limits, in the order in which a user meets them.
const (
	CodeLife       = 10 * time.Minute
	CodePause      = 59 * time.Second // between two codes for the same mobile, purpose and browser
	MaxCodeTries   = 5                // per mobile, purpose and browser, however many codes are sent
	AccessLife     = 15 * time.Minute
	RememberedLife = 30 * 24 * time.Hour
	BrowserLife    = 12 * time.Hour
	RememberedIdle = 14 * 24 * time.Hour // a session not renewed for this long ends
	BrowserIdle    = 2 * time.Hour
	ChallengeLife  = 5 * time.Minute  // between the password and the authenticator code
	EnrolmentLife  = 10 * time.Minute // between showing an authenticator's secret and its first code
	ErasureDelay   = 7 * 24 * time.Hour

	SignUpLife       = time.Hour
	VerificationLife = 10 * time.Minute
)

// Purpose is the purpose of a one-time code or a verification; it is worthless for any other purpose.
type Purpose string

// The purposes of one-time codes.
const (
	PurposeSignUp        Purpose = "sign_up"
	PurposePasswordReset Purpose = "password_reset"
	PurposeChangeMobile  Purpose = "change_mobile"
	PurposeChangeEmail   Purpose = "change_email"
	// PurposeErasure is used for a notice; no code confirms it.
	PurposeErasure Purpose = "erasure"
)

// Franchiser is the paying account and the person who owns it. The mobile has ten digits, without +91.
type Franchiser struct {
	ID                 string     `db:"id"`
	Mobile             string     `db:"mobile"`
	Email              string     `db:"email"`
	FirstName          string     `db:"first_name"`
	LastName           string     `db:"last_name"`
	TOTPEnabled        bool       `db:"totp_enabled"`
	CreatedAt          time.Time  `db:"created_at"`
	ErasureRequestedAt *time.Time `db:"erasure_requested_at"`
	// EmailProvedAt is when a link sent to the address was opened, EmailRefusedAt when it turned out to take no messages.
	EmailProvedAt  *time.Time `db:"email_proved_at"`
	EmailRefusedAt *time.Time `db:"email_refused_at"`
	// Language is the site language of the person; empty until they choose.
	Language i18n.Language `db:"language"`
	// DocumentLanguage is the second language of new documents, beside English; or empty.
	DocumentLanguage i18n.Language `db:"document_language"`
}

// Principal is who is behind a live session: a franchiser in the own account, or a member in another's.
type Principal struct {
	// FranchiserID is the account in which the session acts.
	FranchiserID, SessionID string
	// PersonID, MemberID and Role are empty in the own account.
	PersonID, MemberID string
	Role               Role
}

// Person returns who signed in, whose account may be another one.
func (p Principal) Person() string {
	if p.MemberID == "" {
		return p.FranchiserID
	}
	return p.PersonID
}

// Owns reports whether the account is the person's own.
func (p Principal) Owns() bool { return p.MemberID == "" }

// User is a franchiser together with its billing status, as every sign-in returns it.
type User struct {
	Franchiser
	BillingStatus
	// Acting is the other account in which the person acts, whose billing status this is; nil in the own one.
	Acting *Membership
	// OtherAccounts is true for people who may act in another account, wherever they act at the moment.
	OtherAccounts bool `db:"other_accounts"`
}

// BillingStatus is what billing and the store know about a franchiser.
type BillingStatus struct {
	// EverSubscribed is true from the first plan or trial on, permanently.
	EverSubscribed bool
	// PlanRuns is true in the states trialing, active and grace.
	PlanRuns bool
	// IsActive is true in the states trialing, active, grace and expired.
	IsActive bool
	// PaymentStatus is 0 unpaid, 1 paid, 2 overdue, 3 prepayment, 4 free trial, 5 expired.
	PaymentStatus   int
	HasStoreDetails bool
	HasAddress      bool   `db:"has_address"`
	StoreName       string `db:"store_name"`
}

// Redirect is where the client takes a user who signed in.
type Redirect string

// The possible redirects.
const (
	RedirectPrice     Redirect = "subscription_price"
	RedirectStore     Redirect = "subscription_store"
	RedirectDashboard Redirect = "subscription_dashboard"
)

// Redirect returns where the user should go: to the prices without a plan, then to the store, then to the dashboard. A
// user whose plan ended before a store was created needs a plan first.
func (s BillingStatus) Redirect() Redirect {
	switch {
	case s.EverSubscribed && s.HasStoreDetails:
		return RedirectDashboard
	case s.PlanRuns:
		return RedirectStore
	default:
		return RedirectPrice
	}
}

// Origin describes the browser behind a request.
type Origin struct {
	// Address is the client's IP address according to the trusted proxies.
	Address string
	// UserAgent is the browser's own description.
	UserAgent string
	// Browser is the token from the cookie that ties a sign-up or reset to its browser; empty if the browser keeps no
	// cookies.
	Browser string
	// Device records which accounts the browser signed in to before.
	Device guard.Device
	// Work is the proof of work for a challenge, or empty.
	Work string
	// Language is the language of the person's page, in which an SMS is written; or empty.
	Language i18n.Language
	// Pressed reports whether the address sends far more requests than a person would.
	Pressed bool
}

// Visitor returns the browser as the guard knows it.
func (o Origin) Visitor() guard.Visitor {
	return guard.Visitor{Address: o.Address, Device: o.Device, Work: o.Work, Pressed: o.Pressed}
}

// BrowserHash returns the hash by which rows identify the browser; nil if it keeps no cookies.
func (o Origin) BrowserHash() []byte {
	if o.Browser == "" {
		return nil
	}
	return secret.Hash(o.Browser)
}

// Subscribed is what billing knows about a franchiser: whether it ever had a plan or trial, whether one is running,
// whether it is active now, and its payment status.
type Subscribed struct {
	Ever, Runs, Active bool
	PaymentStatus      int
}

// Subscriptions returns a franchiser's subscription; billing implements it.
type Subscriptions interface {
	SubscribedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Subscribed, error)
}

// TrialStarter starts the free trial of a newly created franchiser; implemented by billing.
type TrialStarter interface {
	StartTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error
}

// PersonalData is what another domain stores about a franchiser, for the export and the erasure of personal data.
type PersonalData interface {
	// ExportTx returns the name of the section and its content, ready for JSON, or nil.
	ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error)
	// EraseTx blanks personal data, except data that the law requires to be kept.
	EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error
	// MoveTx applies a change of the franchiser's mobile.
	MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error
}

// Debts reports the payments and the credit of a franchiser, in paise; payment implements it.
type Debts interface {
	// HasPaidTx reports whether the franchiser ever paid for anything.
	HasPaidTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error)
	// OwedTx returns the amount owed to the franchiser.
	OwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error)
	// LockOwedTx is OwedTx, and also blocks all movements of the franchiser's money until the transaction ends. It must
	// lock before the account is locked.
	LockOwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error)
}

// Erasure is a requested erasure that has not happened yet.
type Erasure struct {
	RequestedAt time.Time
	// On is the day in India on which it happens, or the earliest such day while money is owed to the franchiser.
	On time.Time
}

// ErasureAsked returns the erasure that was requested at the given time, or nil.
func ErasureAsked(at *time.Time) *Erasure {
	if at == nil {
		return nil
	}
	return &Erasure{RequestedAt: *at, On: at.Add(ErasureDelay).In(clock.IST)}
}

// Erasure returns the requested erasure, or nil.
func (f Franchiser) Erasure() *Erasure { return ErasureAsked(f.ErasureRequestedAt) }

// GuessWindow is the time within which guesses of a session, or of an address, are counted.
const GuessWindow = 15 * time.Minute
