package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// gate is what stands before every call: who makes it, from where, and whether it may.
type gate struct {
	accounts *account.Service
	cookies  middleware.Cookies
	before   []gin.HandlerFunc
	require  []gin.HandlerFunc
}

// newGate builds the account service and the middleware that asks it.
func newGate(cfg config.Config, d *deps, cache *redis.Client, subs *subscription.Service, records []account.Records,
	logger *slog.Logger,
) (*gate, error) {
	enforcer, err := authz.New()
	if err != nil {
		return nil, fmt.Errorf("access policies: %w", err)
	}
	limiter := ratelimit.New(cache, d.DB, d.Clock, cfg.Keys)
	g := &gate{cookies: middleware.NewCookies(cfg.PublicURL, cfg.Keys)}
	g.accounts = account.NewService(account.Dependencies{
		DB: d.DB, Jobs: d.Jobs, Redis: cache, Limiter: limiter, Passwords: password.NewHasher(runtime.GOMAXPROCS(0)),
		Clock: d.Clock, Keys: cfg.Keys, Logger: logger, Limits: limitsOf(cfg),
		Trials: subs, Subscriptions: subscribed{subs}, Records: records,
	})
	signed := []string{handler.Prefix + "/payments/callback", handler.Prefix + "/payments/webhook/:gateway", handler.Prefix + "/sms/receipts/:provider"}
	g.before = []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL, signed...),
		middleware.View(newViews(cfg, d, newStaff(cfg, d, limiter, logger)), g.cookies),
		middleware.Session(g.accounts, g.cookies),
		middleware.XSRF(g.cookies, signed...),
		limitWrites(cfg, limiter, g.cookies, signed...),
	}
	g.require = []gin.HandlerFunc{middleware.RequireSession, middleware.Permission(enforcer)}
	return g, nil
}

// limitsOf widens in development what is counted by address, because one machine plays every customer there.
func limitsOf(cfg config.Config) guard.Limits {
	if cfg.Development && !cfg.LiveLimits {
		return guard.Default().ForDevelopment()
	}
	return guard.Default()
}

// limitWrites is the middleware for calls of customers and of staff alike.
func limitWrites(cfg config.Config, limiter *ratelimit.Limiter, cookies middleware.Cookies, gateway ...string) gin.HandlerFunc {
	w := limitsOf(cfg).Writes
	rule := func(name string, limit int64) ratelimit.Rule {
		return ratelimit.Rule{Name: "writes-" + name, Limit: limit, Window: 5 * time.Minute}
	}
	return middleware.LimitWrites(limiter, cookies, middleware.WriteRules{
		Franchiser: rule("franchiser", w.Franchiser), Device: rule("device", w.Device), Address: rule("address", w.Address),
		Doors: rule("doors", w.Doors), Gateway: rule("gateway", w.Gateway),
	}, middleware.WriteRoutes{Gateway: gateway, Doors: handler.Doors()})
}

// subscribed tells the account what billing knows, in the account's own words.
type subscribed struct{ subs *subscription.Service }

// SubscribedTx says whether the franchiser ever had a plan, has one that runs, is active, and its payment status.
func (s subscribed) SubscribedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (account.Subscribed, error) {
	st, err := s.subs.StandingTx(ctx, tx, franchiserID)
	if err != nil {
		return account.Subscribed{}, err
	}
	return account.Subscribed{Ever: st.State != "", Runs: st.State.Usable(), Active: st.Active, PaymentStatus: int(st.PaymentStatus)}, nil
}
