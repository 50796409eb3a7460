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
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// addSupportMoney adds the calls by which staff follow money. They read, so nothing of them is limited or asks a gateway.
func addSupportMoney(engine *gin.Engine, cfg config.Config, d *deps, g *gate, subs *subscription.Service, logger *slog.Logger) error {
	enforcer, err := authz.New()
	if err != nil {
		return fmt.Errorf("access policies: %w", err)
	}
	records := payment.NewService(payment.Deps{DB: d.DB, Clock: d.Clock, Subscriptions: subs, Logger: logger})
	area := handler.NewSupportMoney(records, ledger.NewService(d.DB, d.Clock), d.Clock)
	handler.RegisterSupportMoney(engine, area,
		[]gin.HandlerFunc{middleware.Origin(cfg.PublicURL), middleware.Session(g.accounts, g.cookies)},
		[]gin.HandlerFunc{middleware.RequireStaff(staff.NewService(staff.Deps{DB: d.DB, Clock: d.Clock}), g.cookies, enforcer)})
	return nil
}
