package main

import (
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// gate is the middleware in front of every call: origin, session and permission.
type gate struct {
	cookies middleware.Cookies
	before  []gin.HandlerFunc
	require []gin.HandlerFunc
	// staffBefore and staffRequire precede staff calls.
	staffBefore  []gin.HandlerFunc
	staffRequire []gin.HandlerFunc
	// requireKey precedes calls of connected systems, which have no session.
	requireKey func(connect.Scope) gin.HandlerFunc
	// wrongSecret limits wrong secrets of systems that customers are signed in to, per address.
	wrongSecret ratelimit.Rule
}

// newGate builds the middleware from the services.
func newGate(cfg config.Config, a *app.API, keys secret.Keyring, replica *postgres.Replica) *gate {
	g := &gate{cookies: middleware.NewCookies(cfg.PublicURL, keys)}
	signed := []string{
		handler.Prefix + "/payments/callback", handler.Prefix + "/payments/webhook/:gateway", handler.Prefix + "/sms/receipts/:provider",
		handler.WhatsAppWebhook, handler.EmailInbound, handler.StopReminders, handler.LeaveNewsletter,
	}
	session := middleware.Session(a.Accounts.Sessions, g.cookies)
	g.before = []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL, signed...),
		middleware.View(a.Views, g.cookies),
		session,
		middleware.XSRF(g.cookies, signed...),
		limitWrites(a.Limits.Writes, a.Limiter, g.cookies, signed...),
	}
	g.staffBefore = []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL), session, limitWrites(a.Limits.Writes, a.Limiter, g.cookies),
	}
	if replica != nil {
		reads := middleware.ReadYourWrites(replica, g.cookies, handler.Prefix+"/subscription/payments/status/:transaction_id")
		g.before, g.staffBefore = slices.Insert(g.before, 0, reads), slices.Insert(g.staffBefore, 0, reads)
	}
	g.require = []gin.HandlerFunc{middleware.RequireSession, middleware.Permission(a.Enforcer), middleware.NoteActs(a.Accounts.Teams)}
	g.staffRequire = []gin.HandlerFunc{middleware.RequireStaff(a.Staff, g.cookies, a.Enforcer), limitReads(a.Limits.StaffReads, a.Limiter)}
	rules := middleware.KeyRules{
		Key:   ratelimit.Rule{Name: "key-calls", Limit: a.Limits.Keys.Calls, Window: time.Minute},
		Wrong: ratelimit.Rule{Name: "wrong-keys", Limit: a.Limits.Keys.Wrong, Window: 5 * time.Minute},
	}
	g.wrongSecret = ratelimit.Rule{Name: "wrong-secrets", Limit: a.Limits.Keys.Wrong, Window: 5 * time.Minute}
	g.requireKey = func(s connect.Scope) gin.HandlerFunc { return middleware.RequireKey(a.Connect, a.Limiter, rules, s) }
	return g
}

// limitWrites returns the middleware that limits writes by customers and staff alike.
func limitWrites(w guard.Writes, limiter *ratelimit.Limiter, cookies middleware.Cookies, gateway ...string) gin.HandlerFunc {
	rule := func(name string, limit int64) ratelimit.Rule {
		return ratelimit.Rule{Name: "writes-" + name, Limit: limit, Window: 5 * time.Minute}
	}
	return middleware.LimitWrites(limiter, cookies, middleware.WriteRules{
		Franchiser: rule("franchiser", w.Franchiser), Device: rule("device", w.Device), Address: rule("address", w.Address),
		Doors: rule("doors", w.Doors), Gateway: rule("gateway", w.Gateway),
	}, middleware.WriteRoutes{Gateway: gateway, Doors: handler.Doors()})
}

// limitReads limits how much one member of staff may read.
func limitReads(limit int64, limiter *ratelimit.Limiter) gin.HandlerFunc {
	return middleware.LimitStaffReads(limiter, ratelimit.Rule{Name: "staff-reads", Limit: limit, Window: 5 * time.Minute},
		handler.StaffReadsOfNobody())
}
