package main

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// gate is what stands before every call: who makes it, from where, and whether it may.
type gate struct {
	cookies middleware.Cookies
	before  []gin.HandlerFunc
	require []gin.HandlerFunc
	// staffBefore and staffRequire stand before the calls of staff.
	staffBefore  []gin.HandlerFunc
	staffRequire []gin.HandlerFunc
}

// newGate builds the middleware that asks the services.
func newGate(cfg config.Config, a *app.API, keys secret.Keyring) *gate {
	g := &gate{cookies: middleware.NewCookies(cfg.PublicURL, keys)}
	signed := []string{handler.Prefix + "/payments/callback", handler.Prefix + "/payments/webhook/:gateway", handler.Prefix + "/sms/receipts/:provider"}
	session := middleware.Session(a.Accounts, g.cookies)
	g.before = []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL, signed...),
		middleware.View(a.Views, g.cookies),
		session,
		middleware.XSRF(g.cookies, signed...),
		limitWrites(a.Limits.Writes, a.Limiter, g.cookies, signed...),
	}
	g.require = []gin.HandlerFunc{middleware.RequireSession, middleware.Permission(a.Enforcer)}
	g.staffBefore = []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL), session, limitWrites(a.Limits.Writes, a.Limiter, g.cookies),
	}
	g.staffRequire = []gin.HandlerFunc{middleware.RequireStaff(a.Staff, g.cookies, a.Enforcer), limitReads(a.Limits.StaffReads, a.Limiter)}
	return g
}

// limitWrites is the middleware for calls of customers and of staff alike.
func limitWrites(w guard.Writes, limiter *ratelimit.Limiter, cookies middleware.Cookies, gateway ...string) gin.HandlerFunc {
	rule := func(name string, limit int64) ratelimit.Rule {
		return ratelimit.Rule{Name: "writes-" + name, Limit: limit, Window: 5 * time.Minute}
	}
	return middleware.LimitWrites(limiter, cookies, middleware.WriteRules{
		Franchiser: rule("franchiser", w.Franchiser), Device: rule("device", w.Device), Address: rule("address", w.Address),
		Doors: rule("doors", w.Doors), Gateway: rule("gateway", w.Gateway),
	}, middleware.WriteRoutes{Gateway: gateway, Doors: handler.Doors()})
}

// limitReads bounds how much one member of staff looks at.
func limitReads(limit int64, limiter *ratelimit.Limiter) gin.HandlerFunc {
	return middleware.LimitStaffReads(limiter, ratelimit.Rule{Name: "staff-reads", Limit: limit, Window: 5 * time.Minute},
		handler.StaffReadsOfNobody())
}
