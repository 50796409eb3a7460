package main

import (
	"fmt"
	"log/slog"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// addSupportMoney adds the calls by which staff follow money. Nothing of them asks a gateway: what is to be
// compared again is a job.
func addSupportMoney(engine *gin.Engine, cfg config.Config, d *deps, limiter *ratelimit.Limiter, g *gate, subs *subscription.Service, logger *slog.Logger) error {
	enforcer, err := authz.New()
	if err != nil {
		return fmt.Errorf("access policies: %w", err)
	}
	records := payment.NewService(payment.Deps{DB: d.DB, Clock: d.Clock, Subscriptions: subs, Logger: logger})
	people := staff.NewService(staff.Deps{DB: d.DB, Clock: d.Clock})
	compare := payment.NewComparisons(d.DB, d.Jobs, d.Clock, people)
	limit := money.Paise(cfg.RefundApprovalAbove * paiseInARupee)
	area := handler.NewSupportMoney(records, ledger.NewService(d.DB, d.Clock), compare, people, d.Clock, limit)
	before := []gin.HandlerFunc{middleware.Origin(cfg.PublicURL), middleware.Session(g.accounts, g.cookies), limitWrites(cfg, limiter, g.cookies)}
	require := []gin.HandlerFunc{middleware.RequireStaff(people, g.cookies, enforcer), limitReads(cfg, limiter)}
	handler.RegisterSupportMoney(engine, area, before, require)
	notes := handler.NewSupportInputTax(payment.NewInputTax(d.DB, d.Clock, ledger.NewService(d.DB, d.Clock), people), people)
	handler.RegisterSupportInputTax(engine, notes, before, require)
	handler.RegisterSupportBooks(engine, handler.NewSupportBooks(ledger.NewLocks(d.DB, d.Clock, people)), before, require)
	return nil
}
