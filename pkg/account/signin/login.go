package signin

import (
	"context"
	"encoding/hex"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Failures that a caller may want to tell apart; their messages are the same for known and unknown mobiles.
func errInvalidCredentials() *errs.Error {
	return errs.New(errs.KindMalformed, "invalid_credentials", "The mobile number or the password is wrong.")
}

// LoginInput is a mobile as the username, and a password.
type LoginInput struct {
	Username, Password string
	Remember           bool
}

// Validate returns the specification's messages on the fields at fault.
func (in LoginInput) Validate() error {
	var v errs.Validation
	account.CheckMobile(&v, "username", in.Username)
	password.CheckGiven(&v, "password", in.Password)
	return v.Err()
}

// Login signs in. It returns a challenge instead of a session if the account requires an authenticator's code. A mobile without an account
// costs the same time and gives the same answer as a wrong password.
func (s *Service) Login(ctx context.Context, in LoginInput, o account.Origin) (signedIn session.SignedIn, challenge string, err error) {
	if err := in.Validate(); err != nil {
		return session.SignedIn{}, "", err
	}
	hasher := s.passwords.For(o.Device.Knows(guard.KindFranchiser, in.Username, s.clock.Now()))
	if err := hasher.Open(); err != nil {
		return session.SignedIn{}, "", err
	}
	err = s.guard.Try(ctx, s.limits.Login, guard.KindFranchiser, in.Username, o.Visitor(), func() error {
		checked, err := s.checkPassword(ctx, hasher, in)
		if err != nil {
			return err
		}
		signedIn, challenge, err = s.enter(ctx, checked, in.Remember, o)
		return err
	})
	if err != nil {
		return session.SignedIn{}, "", s.failed(ctx, err, failedSignIn{Mobile: in.Username, Reason: failPassword})
	}
	return signedIn, challenge, nil
}

// checkPassword makes the same queries and computations for a mobile without an account, whose hash is empty.
func (s *Service) checkPassword(ctx context.Context, hasher *password.Hasher, in LoginInput) (login, error) {
	l, err := findLogin(ctx, s.db, in.Username)
	if err != nil {
		return login{}, err
	}
	ok, err := hasher.Verify(ctx, l.PasswordHash, in.Password)
	if err != nil {
		return login{}, err
	}
	if !ok {
		return login{}, errInvalidCredentials()
	}
	return l, nil
}

// enter begins the session, or the challenge before it. The hash is compared again under a lock, so that a session of the old password
// can't begin while a reset ends all of them.
func (s *Service) enter(ctx context.Context, checked login, remember bool, o account.Origin) (in session.SignedIn, challenge string, err error) {
	now := s.clock.Now()
	tokens, row := session.Begin(checked.ID, remember, o, now)
	token := secret.Token()
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		u, ok, err := enterTx(ctx, tx, checked, row, secret.Hash(tokens.Refresh), secret.Hash(token), now.Add(account.ChallengeLife))
		if err != nil {
			return err
		}
		if !ok {
			return errInvalidCredentials()
		}
		if u.TOTPEnabled {
			challenge = token
			return nil
		}
		in = session.SignedIn{Tokens: tokens, User: u}
		return s.sessions.Stand(ctx, tx, &in.User)
	})
	return in, challenge, err
}

// LoginTOTP finishes a sign-in with the challenge and a code of the authenticator app or a recovery code.
// Each challenge takes five tries, an account's unknown browsers a limited number in all.
func (s *Service) LoginTOTP(ctx context.Context, challenge, given string, o account.Origin) (session.SignedIn, error) {
	var v errs.Validation
	v.Check(challenge != "", "totp_token", "Please log in again.")
	v.Check(given != "", "code", "Code can not be empty.")
	if err := v.Err(); err != nil {
		return session.SignedIn{}, err
	}
	hash := secret.Hash(challenge)
	franchiserID, err := findByChallenge(ctx, s.db, hash)
	if err != nil {
		return session.SignedIn{}, err
	}
	if franchiserID == "" {
		return session.SignedIn{}, credential.ErrWrongTOTP()
	}
	in, err := s.answerChallenge(ctx, hash, franchiserID, given, o)
	if err != nil {
		return session.SignedIn{}, s.failed(ctx, err, failedSignIn{FranchiserID: franchiserID, Reason: failCode})
	}
	return in, nil
}

func (s *Service) answerChallenge(ctx context.Context, hash []byte, franchiserID, given string, o account.Origin) (in session.SignedIn, err error) {
	c, err := store.ReadCredentials(ctx, s.db, franchiserID)
	if err != nil {
		return session.SignedIn{}, err
	}
	door := s.limits.LoginCode
	subject := s.codeSubject(franchiserID, c)
	err = s.guard.TryAs(ctx, door, guard.KindFranchiser, c.Mobile, subject, o.Visitor(), func() error {
		remember, err := s.countChallenge(ctx, hash, franchiserID)
		if err != nil {
			return err
		}
		return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
			in, err = s.passChallengeTx(ctx, tx, hash, franchiserID, given, remember, o)
			return err
		})
	})
	return in, err
}

// codeSubject changes with the password: who guesses codes knows it, so that a new one ends both the guessing and its count.
func (s *Service) codeSubject(franchiserID string, c store.Credentials) string {
	return franchiserID + hex.EncodeToString(s.keys.MAC(secret.PurposeSubject, "password", c.PasswordHash)[:8])
}

// countChallenge counts the try in a separate transaction, so that it stays counted, and fails if the challenge is used up.
func (s *Service) countChallenge(ctx context.Context, hash []byte, franchiserID string) (remember bool, err error) {
	var live bool
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		remember, live, err = countChallengeTx(ctx, tx, hash, s.clock.Now())
		return err
	})
	if err == nil && !live {
		err = credential.ErrWrongTOTP()
	}
	return remember, err
}

func (s *Service) passChallengeTx(ctx context.Context, tx *sqlx.Tx, hash []byte, franchiserID, given string, remember bool, o account.Origin) (session.SignedIn, error) {
	if err := s.credentials.SpendTOTPTx(ctx, tx, franchiserID, given); err != nil {
		return session.SignedIn{}, err
	}
	now := s.clock.Now()
	ok, err := useChallengeTx(ctx, tx, hash, now)
	if err != nil {
		return session.SignedIn{}, err
	}
	if !ok {
		return session.SignedIn{}, credential.ErrWrongTOTP()
	}
	tokens, err := s.sessions.BeginSessionTx(ctx, tx, franchiserID, remember, o, now)
	if err != nil {
		return session.SignedIn{}, err
	}
	u, err := s.sessions.UserTx(ctx, tx, franchiserID)
	return session.SignedIn{Tokens: tokens, User: u}, err
}
