package account

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Limits are how often things may be asked for; main decides them.
type Limits struct {
	// CodesPerMobile, CodesPerAddress and CodesInAll cap the SMS of one day in India.
	CodesPerMobile, CodesPerAddress, CodesInAll int
	// LoginsPerMobile and LoginsPerAddress cap failed sign-ins of 15 minutes, GuessesPerAddress wrong codes.
	LoginsPerMobile, LoginsPerAddress, GuessesPerAddress int64
}

// DefaultLimits are those of a live system.
func DefaultLimits() Limits {
	return Limits{
		CodesPerMobile: 10, CodesPerAddress: 100, CodesInAll: 50_000,
		LoginsPerMobile: 10, LoginsPerAddress: 50, GuessesPerAddress: 50,
	}
}

const limitWindow = 15 * time.Minute

func (l Limits) loginOfMobile() ratelimit.Rule {
	return ratelimit.Rule{Name: "login-mobile", Limit: l.LoginsPerMobile, Window: limitWindow}
}

func (l Limits) loginOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "login-address", Limit: l.LoginsPerAddress, Window: limitWindow}
}

func (l Limits) passwordOfFranchiser() ratelimit.Rule {
	return ratelimit.Rule{Name: "password", Limit: l.LoginsPerMobile, Window: limitWindow}
}

func (l Limits) totpOfFranchiser() ratelimit.Rule {
	return ratelimit.Rule{Name: "totp", Limit: l.LoginsPerMobile, Window: limitWindow}
}

func (l Limits) guessOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "guess-address", Limit: l.GuessesPerAddress, Window: limitWindow}
}

// Dependencies are what the service stands on; all but Records are required.
type Dependencies struct {
	DB        *sqlx.DB
	Jobs      *queue.Inserter
	Redis     *redis.Client
	Limiter   *ratelimit.Limiter
	Passwords *password.Hasher
	Clock     clock.Clock
	Keys      secret.Keyring
	Logger    *slog.Logger
	Limits    Limits
	Trials    TrialStarter
	// Subscriptions is asked at every sign-in.
	Subscriptions Subscriptions
	Records       []Records
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
	limits    Limits
	trials    TrialStarter
	subs      Subscriptions
	records   []Records
	// failures wait to be kept.
	failures chan failedSignIn
}

// NewService returns the service over its dependencies.
func NewService(d Dependencies) *Service {
	return &Service{
		db: d.DB, jobs: d.Jobs, cache: cache{redis: d.Redis, keys: d.Keys}, limiter: d.Limiter, passwords: d.Passwords,
		clock: d.Clock, keys: d.Keys, logger: d.Logger, limits: d.Limits, trials: d.Trials, subs: d.Subscriptions,
		records: d.Records, failures: make(chan failedSignIn, failedWaiting),
	}
}

// User returns the franchiser with where it stands; KindUnauthenticated where it is gone.
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

// stand fills in what billing knows of the user.
func (s *Service) stand(ctx context.Context, tx *sqlx.Tx, u *User) error {
	subscribed, err := s.subs.SubscribedTx(ctx, tx, u.ID)
	u.EverSubscribed, u.IsActive, u.PaymentStatus = subscribed.Ever, subscribed.Active, subscribed.PaymentStatus
	return err
}

// provePassword checks the password of somebody who is signed in before something that matters; guesses are limited.
func (s *Service) provePassword(ctx context.Context, franchiserID, given string) error {
	var v errs.Validation
	checkGiven(&v, "password", given)
	if err := v.Err(); err != nil {
		return err
	}
	rule := s.limits.passwordOfFranchiser()
	if err := s.limiter.Hit(ctx, rule, franchiserID); err != nil {
		return err
	}
	c, err := s.credentials(ctx, franchiserID)
	if err != nil {
		return err
	}
	ok, err := s.passwords.Verify(ctx, c.PasswordHash, given)
	if err != nil {
		return err
	}
	if !ok {
		return errWrongPassword()
	}
	return s.limiter.Refund(ctx, rule, franchiserID)
}

// credentials reads what a sign-in is checked against; nothing at all for an account that does not exist.
func (s *Service) credentials(ctx context.Context, franchiserID string) (credentials, error) {
	var c credentials
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		c, err = credentialsTx(ctx, tx, franchiserID)
		return err
	})
	return c, err
}
