// Package account is who a franchiser is and how it proves it: sign-up, one-time codes, sign-in, sessions, passwords,
// authenticator apps, and the person's own data.
package account

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// TermsVersion is the version of the terms and the privacy policy that a sign-up agrees to unless it names another.
const TermsVersion = "2026-11"

// How long things live, in the order in which a person meets them.
const (
	CodeLife       = 10 * time.Minute
	CodePause      = 59 * time.Second // between two codes to one mobile for one purpose and browser
	MaxCodeTries   = 5                // per mobile, purpose and browser, whatever the number of codes
	AccessLife     = 15 * time.Minute
	RememberedLife = 30 * 24 * time.Hour
	BrowserLife    = 12 * time.Hour
	RememberedIdle = 14 * 24 * time.Hour // a session that is not renewed for so long ends
	BrowserIdle    = 2 * time.Hour
	ChallengeLife  = 5 * time.Minute  // between the password and the authenticator's code
	EnrolmentLife  = 10 * time.Minute // between an authenticator's secret and its first code
	ErasureDelay   = 7 * 24 * time.Hour

	signUpLife       = time.Hour
	verificationLife = 10 * time.Minute
	tryMemory        = 15 * time.Minute // longer than a code lives, so that no code sees more than MaxCodeTries
	refreshGrace     = 20 * time.Second // in which a second tab may still come with the token before
	maxSends         = 60               // tries of one SMS, more than fit into the life of a code
)

// Purpose is what a one-time code or a verification proves a mobile for; one made for one purpose is nothing for another.
type Purpose string

// The purposes of one-time codes.
const (
	PurposeSignUp        Purpose = "sign_up"
	PurposePasswordReset Purpose = "password_reset"
	PurposeChangeMobile  Purpose = "change_mobile"
	PurposeChangeEmail   Purpose = "change_email"
)

// Franchiser is the paying account and the person behind it. The mobile has ten digits, without +91.
type Franchiser struct {
	ID                 string     `db:"id"`
	Mobile             string     `db:"mobile"`
	Email              string     `db:"email"`
	FirstName          string     `db:"first_name"`
	LastName           string     `db:"last_name"`
	TOTPEnabled        bool       `db:"totp_enabled"`
	CreatedAt          time.Time  `db:"created_at"`
	ErasureRequestedAt *time.Time `db:"erasure_requested_at"`
}

// Principal is who stands behind a live session.
type Principal struct{ FranchiserID, SessionID string }

// User is a franchiser together with where it stands, which is what every sign-in answers.
type User struct {
	Franchiser
	BillingStatus
}

// BillingStatus is what billing and the store know of a franchiser.
type BillingStatus struct {
	// EverSubscribed is true from the first plan or trial on, for ever.
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

// Redirect is where the client takes a person that signed in.
type Redirect string

// The three words of a redirect; there are no others.
const (
	RedirectPrice     Redirect = "subscription_price"
	RedirectStore     Redirect = "subscription_store"
	RedirectDashboard Redirect = "subscription_dashboard"
)

// Redirect returns where the person belongs: to the prices without a plan, then to its store, then to the dashboard. Whose plan
// ended before there was a store needs a plan first.
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

// Origin is what is known of the browser behind a request.
type Origin struct {
	// Address is the client's IP address as the trusted proxies give it.
	Address string
	// UserAgent is the browser's own description.
	UserAgent string
	// Browser is the token of the cookie that ties a sign-up or reset to its browser; empty where it keeps no cookies.
	Browser string
	// Device knows which accounts the browser signed in to before.
	Device guard.Device
	// Work is the answer to a challenge, empty where the browser brings none.
	Work string
	// Pressed says that the address sends far more than people do.
	Pressed bool
}

func (o Origin) visitor() guard.Visitor {
	return guard.Visitor{Address: o.Address, Device: o.Device, Work: o.Work, Pressed: o.Pressed}
}

// browserHash is how rows know the browser; nil for one that keeps no cookies.
func (o Origin) browserHash() []byte {
	if o.Browser == "" {
		return nil
	}
	return secret.Hash(o.Browser)
}

// Subscribed is what billing knows of a franchiser: whether it ever had a plan or trial, whether one runs, whether it is
// active now, and its payment status.
type Subscribed struct {
	Ever, Runs, Active bool
	PaymentStatus      int
}

// Subscriptions tells what a franchiser has subscribed to; filled by billing.
type Subscriptions interface {
	SubscribedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Subscribed, error)
}

// TrialStarter starts the free trial of a franchiser that was just created; filled by billing.
type TrialStarter interface {
	StartTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error
}

// PersonalData is what another domain keeps about a franchiser, for the export and the erasure of a person's data.
type PersonalData interface {
	// ExportTx returns the name of the section and its content, ready for JSON; nil where there is none.
	ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error)
	// EraseTx blanks what is personal and keeps what the law wants kept.
	EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error
	// MoveTx follows a change of the franchiser's mobile.
	MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error
}

// Debts tells what is owed to a franchiser, in paise; filled by payment.
type Debts interface {
	// OwedTx is what the franchiser has to get back.
	OwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error)
	// LockOwedTx is OwedTx, and none of the franchiser's money moves until the transaction ends. It locks before the account is locked.
	LockOwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error)
}

// Failures that a caller may want to tell apart; their messages are the same for known and unknown mobiles.
func errInvalidCredentials() *errs.Error {
	return errs.New(errs.KindMalformed, "invalid_credentials", "The mobile number or the password is wrong.")
}

func errWrongPassword() *errs.Error {
	return errs.New(errs.KindMalformed, "invalid_credentials", "The password is wrong.").
		Field("password", "The password is wrong.")
}

// errWrongCode is true of digits that were never right and of an older code alike, so that nobody learns which they are.
func errWrongCode() *errs.Error {
	const message = "Please enter valid code. Only the newest one that we sent counts."
	return errs.New(errs.KindMalformed, "otp_wrong", message).Field("otp", message)
}

func errExpiredCode() *errs.Error {
	const message = "This code has expired. Ask for a new one."
	return errs.New(errs.KindMalformed, "otp_expired", message).Field("otp", message)
}

func errNoTriesLeft(after time.Duration) *errs.Error {
	e := errs.New(errs.KindRateLimited, "otp_tries_exhausted", "Too many wrong codes. Please try again later.")
	e.RetryAfter = after
	return e
}

func errVerification() *errs.Error {
	return errs.New(errs.KindMalformed, "verification_invalid", "This verification is used or has expired. Ask for a new code.")
}

func errWrongTOTP() *errs.Error {
	const message = "This code of the authenticator app is wrong."
	return errs.New(errs.KindMalformed, "totp_wrong", message).Field("code", message)
}
