package staff

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Service signs staff in and out and records their actions.
type Service struct {
	Recorder
	db        *sqlx.DB
	guard     *guard.Guard
	passwords *password.Hasher
	keys      secret.Keyring
	limits    guard.Limits
	logger    *slog.Logger
	subjects  Subjects
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB        *sqlx.DB
	Guard     *guard.Guard
	Passwords *password.Hasher
	Clock     clock.Clock
	Keys      secret.Keyring
	Limits    guard.Limits
	Subjects  Subjects
	Logger    *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		Recorder: Recorder{clock: o.Clock}, db: o.DB, guard: o.Guard, passwords: o.Passwords, keys: o.Keys, limits: o.Limits, subjects: o.Subjects,
		logger: o.Logger,
	})
}

// Recorder records what staff do, and nothing else.
type Recorder struct{ clock clock.Clock }

// NewRecorder returns a recorder, for processes without sign-in.
func NewRecorder(clk clock.Clock) Recorder { return *wiring.Complete(&Recorder{clock: clk}) }

// SignIn checks e-mail, password and the authenticator's code in one step. The answer is the same whichever is wrong; it
// fails with KindRateLimited if a browser that staff never used has to wait or do proof of work first.
func (s *Service) SignIn(ctx context.Context, in SignInInput, v guard.Visitor) (t Tokens, err error) {
	if err := in.Validate(); err != nil {
		return Tokens{}, err
	}
	hasher := s.passwords.For(v.Device.Knows(guard.KindStaff, in.Email, s.clock.Now()))
	if err := hasher.Open(); err != nil {
		return Tokens{}, err
	}
	err = s.guard.Try(ctx, s.limits.Staff, guard.KindStaff, in.Email, v, func() error {
		salt, err := saltOf(ctx, s.db, in.Email)
		if err != nil {
			return err
		}
		hash, err := hasher.Like(ctx, salt, in.Password)
		if err != nil {
			return err
		}
		if err := s.checkHash(ctx, in.Email, hash); err != nil {
			return err
		}
		return s.guard.CountInAll(ctx, s.limits.StaffCode, guard.KindStaff, in.Email, s.codeSubject(in.Email, hash), v, func() error {
			t, err = s.begin(ctx, in.Email, hash, in.Code, v.Address)
			return err
		})
	})
	if err != nil && errs.As(err).Code == codeSignIn {
		return Tokens{}, errors.Join(err, s.recordFailure(ctx, in.Email, v.Address))
	}
	return t, err
}

// codeSubject changes with the password: a person who guesses codes knows the password, so a new password ends the guessing and resets
// its count.
func (s *Service) codeSubject(email, hash string) string {
	return email + hex.EncodeToString(s.keys.MAC(secret.PurposeSubject, "staff password", hash)[:8])
}

// checkHash checks whether the password's hash is the account's; KindMalformed if it is not, or there is no such account.
func (s *Service) checkHash(ctx context.Context, email, hash string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		_, err := factorTx(ctx, tx, email, hash)
		return err
	})
}

// recordFailure records a failed sign-in as the member of staff, with the address, a few times an hour. An unknown e-mail is not
// recorded: the trail is about people, and strangers must not be able to fill it.
func (s *Service) recordFailure(ctx context.Context, email, ip string) error {
	staffID, err := noteFailure(ctx, s.db, email, "Sign-in failed from "+ip, s.clock.Now())
	if err == nil && staffID != "" {
		s.logger.WarnContext(ctx, "failed sign-in of staff", slog.String("staff_id", staffID), slog.String("address", ratelimit.Address(ip)))
	}
	return err
}

// begin uses up the code and opens the session, unless the account changed since its password was checked.
func (s *Service) begin(ctx context.Context, email, hash, code, ip string) (t Tokens, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		m, err := factorTx(ctx, tx, email, hash)
		if err != nil {
			return err
		}
		step, ok, err := s.matchCode(m, code)
		if err != nil {
			return err
		}
		if !ok {
			return errSignIn()
		}
		now, token := s.clock.Now(), secret.Token()
		t = Tokens{
			Principal: Principal{
				SessionID: id.New(), StaffID: m.ID, Email: m.Email, Name: m.Name, Role: m.Role, Proof: secret.Hash(token),
			},
			Token: token, ExpiresAt: now.Add(SessionLife),
		}
		if err := openSession(ctx, tx, t, hash, step, ip, now); err != nil {
			return err
		}
		if err := postgres.ShowProof(ctx, tx, t.Proof); err != nil {
			return err
		}
		return s.RecordTx(ctx, tx, t.Principal, Action{Action: "sign_in", Target: "staff:" + t.StaffID, Reason: "Signed in from " + ip})
	})
	return t, err
}

// matchCode returns the step of a code that the member's authenticator shows now and that was not used yet. A member whose authenticator
// was reset has no codes.
func (s *Service) matchCode(m member, code string) (step int64, ok bool, err error) {
	if len(m.TOTPSecret) == 0 {
		return 0, false, nil
	}
	key, err := s.keys.Open(secret.PurposeTOTP, binding(m.ID), m.TOTPSecret)
	if err != nil {
		return 0, false, err
	}
	step, ok = totp.Match(key, code, s.clock.Now(), m.TOTPLastStep)
	return step, ok, nil
}

func binding(staffID string) string { return "staff:" + staffID }

// Authenticate returns the owner of the session's token; role and account are read each time, so that a withdrawn right takes
// effect immediately. KindUnauthenticated for an unknown token.
func (s *Service) Authenticate(ctx context.Context, token string) (Principal, error) {
	return findSession(ctx, s.db, secret.Hash(token), s.clock.Now())
}

// SignOut ends the session.
func (s *Service) SignOut(ctx context.Context, p Principal) error {
	return endSession(ctx, s.db, p.Proof, s.clock.Now())
}

// RecordTx records the principal's action, in the action's transaction. The reason must be a clean one.
func (s Recorder) RecordTx(ctx context.Context, tx *sqlx.Tx, p Principal, a Action) error {
	reason, err := CleanReason(a.Reason)
	if err != nil {
		return err
	}
	a.ID, a.StaffID, a.Reason, a.At = id.New(), p.StaffID, reason, s.clock.Now()
	return insertAction(ctx, tx, a)
}

// ActionsOf returns what staff did for a franchiser, newest first, at most limit.
func (s *Service) ActionsOf(ctx context.Context, franchiserID string, limit int) ([]Action, error) {
	var list []Action
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		list, err = actionsOf(ctx, tx, franchiserID, limit)
		return err
	})
	return list, err
}
