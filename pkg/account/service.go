package account

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	limitWindow = 15 * time.Minute
	// failedWaiting is how many failed sign-ins may wait to be recorded; a flood's excess is dropped.
	failedWaiting = 256
)

// ofSession limits the guesses of one session; other sessions of the account have separate budgets.
func (s *Service) ofSession(what string) ratelimit.Rule {
	return ratelimit.Rule{Name: what + "-session", Limit: s.limits.Own.Session, Window: limitWindow}
}

func (s *Service) strayOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "guess-address", Limit: s.limits.Own.Stray, Window: limitWindow}
}

// Dependencies are the service's dependencies; all but PersonalData are required.
type Dependencies struct {
	DB        *sqlx.DB
	Jobs      *queue.Inserter
	Redis     *redis.Client
	Limiter   *ratelimit.Limiter
	Guard     *guard.Guard
	Passwords *password.Hasher
	Clock     clock.Clock
	Keys      secret.Keyring
	Logger    *slog.Logger
	Limits    guard.Limits
	Trials    TrialStarter
	// Subscriptions is called at every sign-in.
	Subscriptions Subscriptions
	Debts         Debts
	PersonalData  []PersonalData
	// Email means that the product sends e-mails.
	Email bool
}

// Service is every use case of an account; each owns its transactions.
type Service struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	cache     cache
	limiter   *ratelimit.Limiter
	passwords *password.Hasher
	clock     clock.Clock
	keys      secret.Keyring
	logger    *slog.Logger
	guard     *guard.Guard
	limits    guard.Limits
	trials    TrialStarter
	subs      Subscriptions
	debts     Debts
	records   []PersonalData
	messages  *message.Enqueuer
	// failures wait to be kept.
	failures chan failedSignIn
}

// NewService returns the service over its dependencies.
func NewService(d Dependencies) *Service {
	return wiring.Complete(&Service{
		db: d.DB, jobs: d.Jobs, cache: NewCache(d.Redis, d.Keys), limiter: d.Limiter,
		guard: d.Guard, passwords: d.Passwords,
		clock: d.Clock, keys: d.Keys, logger: d.Logger, limits: d.Limits, trials: d.Trials, subs: d.Subscriptions,
		debts: d.Debts, records: d.PersonalData, messages: message.NewEnqueuer(message.EnqueuerOptions{
			Jobs: d.Jobs, Email: d.Email,
		}), failures: make(chan failedSignIn, failedWaiting),
	})
}

// User returns the franchiser with its billing status; KindUnauthenticated if it no longer exists.
func (s *Service) User(ctx context.Context, franchiserID string) (User, error) {
	var u User
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		u, err = s.userTx(ctx, tx, franchiserID)
		return err
	})
	return u, err
}

func (s *Service) userTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (User, error) {
	u, ok, err := userTx(ctx, tx, franchiserID)
	if err != nil {
		return User{}, err
	}
	if !ok {
		return User{}, errs.Unauthenticated()
	}
	err = s.stand(ctx, tx, &u)
	return u, err
}

// stand fills in the user's billing status.
func (s *Service) stand(ctx context.Context, tx *sqlx.Tx, u *User) error {
	subscribed, err := s.subs.SubscribedTx(ctx, tx, u.ID)
	u.EverSubscribed, u.PlanRuns, u.IsActive = subscribed.Ever, subscribed.Runs, subscribed.Active
	u.PaymentStatus = subscribed.PaymentStatus
	return err
}

// provePassword checks the password of a signed-in person before a sensitive action; the guesses are limited per session.
func (s *Service) provePassword(ctx context.Context, p Principal, given string) error {
	var v errs.Validation
	password.CheckGiven(&v, "password", given)
	if err := v.Err(); err != nil {
		return err
	}
	return s.limiter.Guess(ctx, ratelimit.Counted{Rule: s.ofSession("password"), Subject: p.SessionID}, func() error {
		c, err := readCredentials(ctx, s.db, p.FranchiserID)
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
