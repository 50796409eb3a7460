package staff

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
)

// authenticatorLife is how long a key that was shown may be confirmed.
const authenticatorLife = 15 * time.Minute

// issuer is the name under which an authenticator app lists the accounts of staff.
const issuer = "Franchise 360 staff"

func errInvitation() *errs.Error {
	return errs.New(errs.KindMalformed, "invitation_invalid", "This link was used, withdrawn or replaced, or has expired. Ask an admin for another one.")
}

// Authenticator is the key for an app, which is shown once. Sealed is the same key, encrypted, which comes back with the first code, so
// that nothing is kept before.
type Authenticator struct{ Secret, URL, Sealed string }

// minPassword is the minimum length of a new password of staff, in characters; the other rules are those of customers' passwords.
const minPassword = 12

// checkNewPassword refuses a password that a customer could not choose either, that is shorter than minPassword, or that contains the
// e-mail or a part of the name of its owner.
func checkNewPassword(v *errs.Validation, chosen, email, name string) {
	if v.Check(utf8.RuneCountInString(chosen) >= minPassword, "password", "Staff passwords have at least 12 characters.") {
		password.Check(v, "password", "Password", chosen, append(strings.Fields(name), email)...)
	}
}

// checkCurrent refuses a current password that was not entered.
func checkCurrent(password string) error {
	var v errs.Validation
	v.Check(password != "" && len(password) <= maxPassword, "current_password", "Please enter your current password.")
	return v.Err()
}

func errCurrent() error {
	var v errs.Validation
	v.Check(false, "current_password", "This is not your password.")
	return v.Err()
}

func checkEmail(v *errs.Validation, email string) {
	v.Check(strings.Contains(email, "@") && len(email) <= maxEmail && !strings.ContainsAny(email, " \t\r\n<>,;"), "email", "Please enter an e-mail.")
}

func isCode(s string) bool { return len(s) == 6 && strings.Trim(s, "0123456789") == "" }

func checkCode(v *errs.Validation, code string) {
	v.Check(isCode(code), "code", "Please enter the six digits of your authenticator app.")
}

// authenticator draws a key and seals it with the end of its time.
func (a *Accounts) authenticator(staffID, email string) (Authenticator, error) {
	key := totp.NewSecret()
	until := binary.BigEndian.AppendUint64(nil, uint64(a.people.clock.Now().Add(authenticatorLife).Unix())) //nolint:gosec // after 1970
	sealed, err := a.people.keys.Seal(secret.PurposeTOTP, binding(staffID)+" proposed", append(until, key...))
	return Authenticator{
		Secret: totp.Encode(key), URL: totp.URL(issuer, email, key), Sealed: base64.RawURLEncoding.EncodeToString(sealed),
	}, err
}

// confirmed returns the proposed key, sealed as the account keeps it, and the step of its first code.
func (a *Accounts) confirmed(staffID, sealed, code string) (kept []byte, step int64, err error) {
	again := errs.New(errs.KindMalformed, "authenticator_expired", "This took too long. Load the page again and scan the new code.")
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil, 0, again
	}
	plain, err := a.people.keys.Open(secret.PurposeTOTP, binding(staffID)+" proposed", raw)
	if err != nil || len(plain) < 8 {
		return nil, 0, again
	}
	now := a.people.clock.Now()
	if uint64(now.Unix()) > binary.BigEndian.Uint64(plain) { //nolint:gosec // after 1970
		return nil, 0, again
	}
	step, ok := totp.Match(plain[8:], code, now, 0)
	if !ok {
		var v errs.Validation
		v.Check(false, "code", "This code is not right. Check that the clock of your phone is.")
		return nil, 0, v.Err()
	}
	kept, err = a.people.keys.Seal(secret.PurposeTOTP, binding(staffID), plain[8:])
	return kept, step, err
}

// OpenInvitation returns the link's invitation, with a key for an authenticator app. An expired, used or unknown link is KindMalformed.
func (a *Accounts) OpenInvitation(ctx context.Context, link string) (Invitation, Authenticator, error) {
	i, err := a.invitation(ctx, link)
	if err != nil {
		return i, Authenticator{}, err
	}
	key, err := a.authenticator(i.StaffID, i.Email)
	return i, key, err
}

func (a *Accounts) invitation(ctx context.Context, link string) (Invitation, error) {
	if _, ok := a.people.keys.LinkedRow(purposeInvite, link); !ok {
		return Invitation{}, errInvitation()
	}
	return findInvitation(ctx, a.db, secret.Hash(link), a.people.clock.Now())
}

// EnrolmentInput is the invited person's input: a password, and the authenticator with its first code.
type EnrolmentInput struct{ Link, Password, Sealed, Code string }

// Enrol creates the account, or enrols its member again, without a sign-in. A link works once.
func (a *Accounts) Enrol(ctx context.Context, in EnrolmentInput, v guard.Visitor) error {
	i, err := a.invitation(ctx, in.Link)
	if err != nil {
		return err
	}
	var checks errs.Validation
	checkNewPassword(&checks, in.Password, i.Email, i.Name)
	checkCode(&checks, in.Code)
	if err := checks.Err(); err != nil {
		return err
	}
	kept, step, err := a.confirmed(i.StaffID, in.Sealed, in.Code)
	if err != nil {
		return err
	}
	hash, err := a.people.passwords.Hash(ctx, in.Password)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		now := a.people.clock.Now()
		ok, err := yesTx(ctx, tx, "accept invitation of staff", acceptSQL, secret.Hash(in.Link), hash, kept, step, id.New(),
			"Accepted the invitation from "+v.Address, now, int64(a.apart.Seconds()))
		if err == nil && !ok {
			err = errInvitation()
		}
		if err != nil {
			return err
		}
		return a.tellAdminsTx(ctx, tx, i.StaffID, now)
	})
}

// ChangePassword gives the principal another password; the other sessions end. A wrong old one is counted as a guess.
func (a *Accounts) ChangePassword(ctx context.Context, p Principal, old, chosen string, v guard.Visitor) error {
	var checks errs.Validation
	checks.Check(old != "" && len(old) <= maxPassword, "current_password", "Please enter your current password.")
	checkNewPassword(&checks, chosen, p.Email, p.Name)
	checks.Check(old != chosen, "password", "This is your current password.")
	if err := checks.Err(); err != nil {
		return err
	}
	return a.withPassword(ctx, p, old, v, func(hash string) error {
		next, err := a.people.passwords.Hash(ctx, chosen)
		if err != nil {
			return err
		}
		return a.ownTx(ctx, p, Action{Action: "change_password", Reason: "Changed the own password"}, passwordSQL, hash, next, a.people.clock.Now())
	})
}

// ProposeAuthenticator returns a key for another authenticator app; nothing changes before ReplaceAuthenticator.
func (a *Accounts) ProposeAuthenticator(p Principal) (Authenticator, error) {
	return a.authenticator(p.StaffID, p.Email)
}

// ReplaceAuthenticator makes the proposed key the principal's only one; it needs a Proof by the current authenticator. The other
// sessions end.
func (a *Accounts) ReplaceAuthenticator(ctx context.Context, p Principal, proof Proof, sealed, code string) error {
	var checks errs.Validation
	proof.check(&checks)
	checkCode(&checks, code)
	if err := checks.Err(); err != nil {
		return err
	}
	kept, step, err := a.confirmed(p.StaffID, sealed, code)
	if err != nil {
		return err
	}
	return a.withProof(ctx, p, proof, func(hash string) error {
		return a.ownTx(ctx, p, Action{Action: "change_authenticator", Reason: "Replaced the own authenticator"}, replaceSQL,
			hash, kept, step, a.people.clock.Now())
	})
}

// Proof is entered again before a change that outlives the session: the password, and a code of the current authenticator. Visitor is
// the client that sends both.
type Proof struct {
	Password, Code string
	Visitor        guard.Visitor
}

func (in Proof) check(v *errs.Validation) {
	v.Check(in.Password != "" && len(in.Password) <= maxPassword, "current_password", "Please enter your current password.")
	v.Check(isCode(in.Code), "current_code", "Please enter the six digits of your authenticator app.")
}

// Prove checks the reason, then the principal's Proof, and uses up its code. It returns the clean reason. A bad reason uses up no code.
// Wrong passwords and codes count as those of a sign-in.
func (a *Accounts) Prove(ctx context.Context, p Principal, proof Proof, reason string) (string, error) {
	reason, err := CleanReason(reason)
	if err != nil {
		return "", err
	}
	var checks errs.Validation
	if proof.check(&checks); checks.Err() != nil {
		return "", checks.Err()
	}
	return reason, a.withProof(ctx, p, proof, func(string) error { return nil })
}

// withProof is withPassword that also uses up a code. Wrong codes count as those of a sign-in.
func (a *Accounts) withProof(ctx context.Context, p Principal, proof Proof, do func(hash string) error) error {
	v := proof.Visitor
	return a.withPassword(ctx, p, proof.Password, v, func(hash string) error {
		if err := a.people.checkHash(ctx, p.Email, hash); err != nil {
			if errs.As(err).Code == codeSignIn {
				return errCurrent()
			}
			return err
		}
		subject := a.people.codeSubject(p.Email, hash)
		err := a.people.guard.CountInAll(ctx, a.people.limits.StaffCode, guard.KindStaff, p.Email, subject, v, func() error {
			return a.spendCode(ctx, p, hash, proof.Code)
		})
		if err != nil {
			return err
		}
		return do(hash)
	})
}

// spendCode uses up a code of the principal's authenticator; a wrong or used one is a validation error of current_code.
func (a *Accounts) spendCode(ctx context.Context, p Principal, hash, code string) error {
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		m, err := factorTx(ctx, tx, p.Email, hash)
		if err != nil {
			return err
		}
		step, ok, err := a.people.matchCode(m, code)
		if ok {
			ok, err = yesTx(ctx, tx, "spend code of staff", `SELECT spend_staff_code($1)`, step)
		}
		if err == nil && !ok {
			var v errs.Validation
			v.Add("current_code", "This code is not right, or was used already. Wait for the next one.")
			err = v.Err()
		}
		return err
	})
}

// withPassword hashes the password as the account's is hashed, and counts a guess if do says that it is wrong.
func (a *Accounts) withPassword(ctx context.Context, p Principal, password string, v guard.Visitor, do func(hash string) error) error {
	return a.guess(ctx, p, v, func() error {
		salt, err := saltOf(ctx, a.db, p.Email)
		if err != nil {
			return err
		}
		hash, err := a.people.passwords.For(true).Like(ctx, salt, password)
		if err != nil {
			return err
		}
		return do(hash)
	})
}

// ownTx runs a function that changes the principal's own account if the password's hash is right, and records it.
func (a *Accounts) ownTx(ctx context.Context, p Principal, act Action, statement string, args ...any) error {
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		ok, err := yesTx(ctx, tx, act.Action, statement, args...)
		if err != nil {
			return err
		}
		if !ok {
			return errCurrent()
		}
		act.Target = "staff:" + p.StaffID
		return a.people.RecordTx(ctx, tx, p, act)
	})
}
