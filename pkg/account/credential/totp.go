package credential

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
)

// ofSession limits the guesses of one session; other sessions of the account have separate budgets.
func (s *Service) ofSession(what string) ratelimit.Rule {
	return ratelimit.Rule{Name: what + "-session", Limit: s.limits.Own.Session, Window: account.GuessWindow}
}

// Issuer is the name under which an authenticator app lists the account.
const Issuer = "Franchise 360"

const (
	recoveryCodes = 10
	recoveryBytes = 15
	maxCode       = 40 // characters
)

// Enrolment is the data for the set-up of an authenticator app; it is shown once.
type Enrolment struct{ Secret, URL string }

// BeginTOTP creates a secret for an authenticator app; nothing changes until ConfirmTOTP. It needs the password, and
// fails with KindConflict if an app is already in use.
func (s *Service) BeginTOTP(ctx context.Context, p account.Principal, password string) (Enrolment, error) {
	if err := s.ProvePassword(ctx, p, password); err != nil {
		return Enrolment{}, err
	}
	key := totp.NewSecret()
	sealed, err := s.keys.Seal(secret.PurposeTOTP, p.FranchiserID, key)
	if err != nil {
		return Enrolment{}, err
	}
	var mobile string
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		c, err := store.LockCredentialsTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		mobile = c.Mobile
		ok, err := store.Changed(ctx, tx, "begin authenticator", beginTOTPSQL, p.FranchiserID, sealed, s.clock.Now())
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "conflict", "An authenticator app is in use already.")
		}
		return err
	})
	if err != nil {
		return Enrolment{}, err
	}
	return Enrolment{Secret: totp.Encode(key), URL: totp.URL(Issuer, mobile, key)}, nil
}

// ConfirmTOTP enables the authenticator app with its first code and returns the recovery codes, once.
func (s *Service) ConfirmTOTP(ctx context.Context, p account.Principal, given string) ([]string, error) {
	var v errs.Validation
	v.Check(account.IsSixDigits(given), "code", "Please enter a valid code")
	if err := v.Err(); err != nil {
		return nil, err
	}
	codes := newRecoveryCodes()
	err := s.guessCode(ctx, p, func(tx *sqlx.Tx) error { return s.enableTOTPTx(ctx, tx, p.FranchiserID, given, codes) })
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// guessCode limits the codes that one session may try.
func (s *Service) guessCode(ctx context.Context, p account.Principal, judge func(tx *sqlx.Tx) error) error {
	return s.limiter.Guess(ctx, ratelimit.Counted{Rule: s.ofSession("totp"), Subject: p.SessionID}, func() error {
		return postgres.InTenantTx(ctx, s.db, p.FranchiserID, judge)
	})
}

func (s *Service) enableTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID, given string, codes []string) error {
	c, err := store.LockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	if c.TOTPEnabledAt != nil || c.TOTPBegunAt == nil || now.After(c.TOTPBegunAt.Add(account.EnrolmentLife)) {
		return errs.New(errs.KindConflict, "conflict", "Begin with the authenticator app again.")
	}
	key, err := s.keys.Open(secret.PurposeTOTP, franchiserID, c.TOTPSecret)
	if err != nil {
		return err
	}
	step, ok := totp.Match(key, given, now, c.TOTPLastStep)
	if !ok {
		return ErrWrongTOTP()
	}
	if _, err := store.Changed(ctx, tx, "enable authenticator", enableTOTPSQL, franchiserID, now, step); err != nil {
		return err
	}
	macs := make([][]byte, len(codes))
	for i, code := range codes {
		macs[i] = s.recoveryMAC(franchiserID, code)
	}
	return replaceRecoveryTx(ctx, tx, franchiserID, macs)
}

// DisableTOTP disables the authenticator app; it needs the password and a code from the app or a recovery code.
func (s *Service) DisableTOTP(ctx context.Context, p account.Principal, password, given string) error {
	if err := s.ProvePassword(ctx, p, password); err != nil {
		return err
	}
	return s.guessCode(ctx, p, func(tx *sqlx.Tx) error {
		c, err := store.LockCredentialsTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		if c.TOTPEnabledAt == nil {
			return errs.New(errs.KindConflict, "conflict", "No authenticator app is in use.")
		}
		if err := s.SpendTOTPTx(ctx, tx, p.FranchiserID, given); err != nil {
			return err
		}
		return RemoveTOTPTx(ctx, tx, p.FranchiserID)
	})
}

// SpendTOTPTx uses up a recovery code or a code from the app, whose time step is worthless afterwards.
func (s *Service) SpendTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID, given string) error {
	c, err := store.LockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if c.TOTPEnabledAt == nil {
		return ErrWrongTOTP()
	}
	if !account.IsSixDigits(given) {
		return s.spendRecoveryTx(ctx, tx, franchiserID, given)
	}
	key, err := s.keys.Open(secret.PurposeTOTP, franchiserID, c.TOTPSecret)
	if err != nil {
		return err
	}
	step, ok := totp.Match(key, given, s.clock.Now(), c.TOTPLastStep)
	if !ok {
		return ErrWrongTOTP()
	}
	_, err = store.Changed(ctx, tx, "set authenticator step", setTOTPStepSQL, franchiserID, step)
	return err
}

func (s *Service) spendRecoveryTx(ctx context.Context, tx *sqlx.Tx, franchiserID, given string) error {
	mac := s.recoveryMAC(franchiserID, strings.ToUpper(given))
	ok, err := store.Changed(ctx, tx, "use recovery code", useRecoverySQL, franchiserID, mac, s.clock.Now())
	if err == nil && !ok {
		err = ErrWrongTOTP()
	}
	return err
}

// recoveryMAC is keyed, so that a copy of the table alone confirms no code.
func (s *Service) recoveryMAC(franchiserID, code string) []byte {
	return s.keys.MAC(secret.PurposeRecovery, franchiserID, code)
}

// newRecoveryCodes returns ten codes of 120 random bits, in base32 with a dash after every fourth letter.
func newRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	for i := range codes {
		b := make([]byte, recoveryBytes)
		_, _ = rand.Read(b) // never fails since Go 1.24
		var groups []string
		for group := range slices.Chunk([]byte(base32.StdEncoding.EncodeToString(b)), 4) {
			groups = append(groups, string(group))
		}
		codes[i] = strings.Join(groups, "-")
	}
	return codes
}
