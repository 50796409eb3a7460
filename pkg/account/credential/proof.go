package credential

import (
	"context"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// ProvePassword checks the password of a signed-in person before a sensitive action; the guesses are limited per session.
func (s *Service) ProvePassword(ctx context.Context, p account.Principal, given string) error {
	var v errs.Validation
	password.CheckGiven(&v, "password", given)
	if err := v.Err(); err != nil {
		return err
	}
	return s.limiter.Guess(ctx, ratelimit.Counted{Rule: s.ofSession("password"), Subject: p.SessionID}, func() error {
		c, err := store.ReadCredentials(ctx, s.db, p.FranchiserID)
		if err != nil {
			return err
		}
		ok, err := s.passwords.For(true).Verify(ctx, c.PasswordHash, given)
		if err != nil {
			return err
		}
		if !ok {
			return errWrongPassword()
		}
		return nil
	})
}

// Proof is repeated by a signed-in user before a sensitive action: the password, and a code from the authenticator app or a recovery code
// if an app is in use.
type Proof struct{ Password, Code string }

// Prove checks the password, and uses up the code if an authenticator app is in use; guesses of both are limited.
func (s *Service) Prove(ctx context.Context, p account.Principal, proof Proof) error {
	if err := s.ProvePassword(ctx, p, proof.Password); err != nil {
		return err
	}
	return s.ProveCode(ctx, p, proof.Code)
}

// ProveCode uses up a code if an authenticator app is in use; guesses are limited.
func (s *Service) ProveCode(ctx context.Context, p account.Principal, given string) error {
	if utf8.RuneCountInString(given) > maxCode { // also without an app, as the contract refuses it
		return ErrWrongTOTP()
	}
	c, err := store.ReadCredentials(ctx, s.db, p.FranchiserID)
	if err != nil || c.TOTPEnabledAt == nil {
		return err
	}
	if given == "" {
		const message = "Please enter a code of your authenticator app."
		return errs.New(errs.KindInvalid, "totp_required", message).Field("code", message)
	}
	return s.guessCode(ctx, p, func(tx *sqlx.Tx) error { return s.SpendTOTPTx(ctx, tx, p.FranchiserID, given) })
}
