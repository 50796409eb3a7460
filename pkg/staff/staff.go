// Package staff manages the operator's own people: their authentication, their permissions, and the record of their actions.
package staff

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Role is the role of a member of staff; platform/authz/policy.csv grants its permissions.
type Role string

// The roles of staff: who helps customers, who keeps the books, who reads everything and changes nothing, and who runs the platform.
const (
	RoleSupport Role = "support"
	RoleFinance Role = "finance"
	RoleAuditor Role = "auditor"
	RoleAdmin   Role = "admin"
)

// Roles returns all roles, as they are offered.
func Roles() []Role { return []Role{RoleSupport, RoleFinance, RoleAuditor, RoleAdmin} }

func (r Role) check(v *errs.Validation) {
	v.Check(slices.Contains(Roles(), r), "role", "The role is support, finance, auditor or admin.")
}

// SessionLife is how long staff stay signed in: one working day.
const SessionLife = 8 * time.Hour

// IdleLife is how long a session lasts without a call.
const IdleLife = 30 * time.Minute

// Principal is the member of staff behind a session, with the current role from the database.
type Principal struct {
	SessionID string `db:"session_id"`
	StaffID   string `db:"staff_id"`
	Email     string `db:"email"`
	Name      string `db:"name"`
	Role      Role   `db:"role"`
	// Proof is the hash of the session's token, which only the browser has.
	Proof []byte `db:"-"`
}

// Sign returns a context whose transactions act as the principal: the database allows staff's work in no others.
func (p Principal) Sign(ctx context.Context) context.Context { return postgres.WithProof(ctx, p.Proof) }

// Tokens are the result of a sign-in for the browser.
type Tokens struct {
	Principal

	Token     string
	ExpiresAt time.Time
}

// Account describes a new member of staff.
type Account struct {
	Email, Name, Password string
	Role                  Role
	TOTPKey               []byte
}

// Maximum lengths in bytes at sign-in; accounts are created within the same limits.
const (
	maxEmail    = 254
	maxPassword = 200
)

// SignInInput is everything that staff enter to sign in.
type SignInInput struct{ Email, Password, Code string }

// Validate cleans the e-mail and reports missing fields.
func (in *SignInInput) Validate() error {
	in.Email = strings.ToLower(strings.TrimSpace(in.Email))
	var v errs.Validation
	v.Check(in.Email != "" && len(in.Email) <= maxEmail, "email", "Please enter your e-mail.")
	v.Check(in.Password != "" && len(in.Password) <= maxPassword, "password", "Please enter your password.")
	checkCode(&v, in.Code)
	return v.Err()
}

// Action is one thing that staff did; Before and After are JSON, empty if there was or is nothing.
type Action struct {
	ID            string    `db:"id"`
	StaffID       string    `db:"staff_id"`
	StaffName     string    `db:"staff_name"`
	Action        string    `db:"action"`
	Target        string    `db:"target"`
	FranchiserRef *string   `db:"franchiser_ref"`
	Reason        string    `db:"reason"`
	Before        string    `db:"before"`
	After         string    `db:"after"`
	At            time.Time `db:"at"`
}

const maxReason = 500

// CleanReason trims the reason and refuses one with fewer than 3 or more than 500 characters.
func CleanReason(reason string) (string, error) {
	reason = strings.Join(strings.Fields(reason), " ")
	var v errs.Validation
	n := utf8.RuneCountInString(reason)
	v.Check(n >= 3 && n <= maxReason, "reason", "Please say why, in 3 to 500 characters.")
	return reason, v.Err()
}

const codeSignIn = "invalid_credentials"

func errSignIn() error {
	return errs.New(errs.KindMalformed, codeSignIn, "The e-mail, password or code is not right.")
}
