package signin

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// StartReset sends a code if the mobile has an account; without one it gives the same answer. It returns the token that ties the code to
// its browser.
func (s *Service) StartReset(ctx context.Context, mobile string, o account.Origin) (browser string, err error) {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	if err := v.Err(); err != nil {
		return "", err
	}
	browser = session.BrowserOf(o)
	return browser, postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		owner, err := store.FindByMobile(ctx, tx, mobile)
		if err != nil {
			return err
		}
		c := otp.Code{Mobile: mobile, Purpose: account.PurposePasswordReset, Message: otp.MessageNone, BrowserHash: secret.Hash(browser)}
		if owner != "" {
			c.Message, c.FranchiserRef = otp.MessageCode, &owner
		}
		return s.codes.RequestCodeTx(ctx, tx, c, o)
	})
}

// VerifyReset checks the code of a reset and returns the verification that completes it.
func (s *Service) VerifyReset(ctx context.Context, mobile, digits string, o account.Origin) (string, error) {
	if err := otp.ValidateGuess(mobile, digits); err != nil {
		return "", err
	}
	return s.codes.Verify(ctx, otp.Guess{Mobile: mobile, Purpose: account.PurposePasswordReset, Digits: digits, BrowserHash: o.BrowserHash()}, o)
}

// ResetInput is the last step of a reset.
type ResetInput struct{ Mobile, Verification, Password, Confirmation string }

// Validate returns the specification's messages on the fields at fault.
func (in ResetInput) Validate() error {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", in.Mobile)
	v.Check(in.Verification != "", "verification_id", "Verification can not be empty.")
	password.Check(&v, "password", "New password", in.Password, in.Mobile)
	v.Check(in.Confirmation == in.Password, "password_confirmation", "Password and confirm password should be the same")
	return v.Err()
}

// Reset sets the new password, ends every session and challenge of the account, and lifts the limit that wrong
// passwords may have reached.
func (s *Service) Reset(ctx context.Context, in ResetInput) error {
	if err := in.Validate(); err != nil {
		return err
	}
	token, now := secret.Hash(in.Verification), s.clock.Now()
	lives, err := otp.VerificationLives(ctx, s.db, token, in.Mobile, account.PurposePasswordReset, now)
	if err != nil {
		return err
	}
	if !lives {
		return otp.ErrVerification()
	}
	if err := s.checkNotOwn(ctx, in); err != nil {
		return err
	}
	hash, err := s.passwords.For(true).Hash(ctx, in.Password) // the mobile is proved
	if err != nil {
		return err
	}
	var dead [][]byte
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if _, err := otp.TakeVerificationTx(ctx, tx, token, in.Mobile, account.PurposePasswordReset, now); err != nil {
			return err
		}
		dead, err = s.setPasswordTx(ctx, tx, in.Mobile, hash)
		return err
	})
	if err != nil {
		return err
	}
	s.cache.End(ctx, dead)
	return s.guard.Forget(ctx, s.limits.Login, in.Mobile)
}

// checkNotOwn compares the new password with the personal data of the account, whose owner has proved the mobile.
func (s *Service) checkNotOwn(ctx context.Context, in ResetInput) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		owner, err := store.FindByMobile(ctx, tx, in.Mobile)
		if err != nil || owner == "" {
			return err
		}
		if err := postgres.SetFranchiser(ctx, tx, owner); err != nil {
			return err
		}
		f, _, err := store.FranchiserTx(ctx, tx, owner)
		if err != nil {
			return err
		}
		var v errs.Validation
		password.Check(&v, "password", "New password", in.Password, f.Email, f.FirstName, f.LastName)
		return v.Err()
	})
}

func (s *Service) setPasswordTx(ctx context.Context, tx *sqlx.Tx, mobile, hash string) ([][]byte, error) {
	owner, err := store.FindByMobile(ctx, tx, mobile)
	if err != nil {
		return nil, err
	}
	if owner == "" { // the account was erased or moved since the code was sent
		return nil, otp.ErrVerification()
	}
	if err := postgres.SetFranchiser(ctx, tx, owner); err != nil {
		return nil, err
	}
	if _, err := store.Changed(ctx, tx, "set password", setPasswordSQL, owner, hash); err != nil {
		return nil, err
	}
	if _, err := store.Changed(ctx, tx, "delete challenges", store.DeleteChallengesSQL, owner); err != nil {
		return nil, err
	}
	return session.EndSessionsTx(ctx, tx, owner, session.EndPasswordReset, nil, nil, s.clock.Now())
}
