package app

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/account/signup"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Accounts are the services of customers' accounts.
type Accounts struct {
	Codes       *otp.Service
	Sessions    *session.Service
	Credentials *credential.Service
	Profiles    *profile.Service
	Teams       *team.Service
	SignUps     *signup.Service
	SignIns     *signin.Service
	Erasures    *erasure.Service
}

// AccountParts are what the services of accounts are built over; all but Records are required.
type AccountParts struct {
	DB            *sqlx.DB
	Jobs          *queue.Inserter
	Redis         *redis.Client
	Limiter       *ratelimit.Limiter
	Guard         *guard.Guard
	Passwords     *password.Hasher
	Clock         clock.Clock
	Keys          secret.Keyring
	Logger        *slog.Logger
	Limits        guard.Limits
	Trials        account.TrialStarter
	Subscriptions account.Subscriptions
	Debts         account.Debts
	Records       []account.PersonalData
	// Email means that the product sends e-mails.
	Email bool
}

// NewAccounts builds the services of accounts.
func NewAccounts(p AccountParts) Accounts {
	cache := session.NewCache(p.Redis, p.Keys)
	a := Accounts{
		Codes: otp.New(otp.Options{
			DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Keys: p.Keys, Limiter: p.Limiter, Guard: p.Guard, Limits: p.Limits,
			Subscriptions: p.Subscriptions, Debts: p.Debts,
		}),
		Sessions: session.New(session.Options{
			DB: p.DB, Cache: cache, Clock: p.Clock, Keys: p.Keys, Subscriptions: p.Subscriptions, Logger: p.Logger,
		}),
		Credentials: credential.New(credential.Options{
			DB: p.DB, Clock: p.Clock, Keys: p.Keys, Limiter: p.Limiter, Limits: p.Limits, Passwords: p.Passwords,
		}),
	}
	a.Profiles = profile.New(profile.Options{
		DB: p.DB, Jobs: p.Jobs, Cache: cache, Clock: p.Clock, Keys: p.Keys, Limits: p.Limits,
		Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: p.Jobs, Email: p.Email}),
		Codes:    a.Codes, Credentials: a.Credentials, Records: p.Records,
	})
	a.Teams = team.New(team.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Keys: p.Keys, Debts: p.Debts, Codes: a.Codes, Credentials: a.Credentials,
	})
	a.SignUps = signup.New(signup.Options{
		DB: p.DB, Clock: p.Clock, Keys: p.Keys, Passwords: p.Passwords, Trials: p.Trials, Codes: a.Codes, Sessions: a.Sessions,
		Profiles: a.Profiles,
	})
	a.SignIns = signin.New(signin.Options{
		DB: p.DB, Cache: cache, Clock: p.Clock, Keys: p.Keys, Guard: p.Guard, Limits: p.Limits, Passwords: p.Passwords,
		Codes: a.Codes, Sessions: a.Sessions, Credentials: a.Credentials, Logger: p.Logger,
	})
	a.Erasures = erasure.New(erasure.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Debts: p.Debts, Credentials: a.Credentials, Records: p.Records,
	})
	return a
}
