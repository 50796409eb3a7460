package main

import (
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
)

const paiseInARupee = 100

// newStaff builds the operator's own people.
func newStaff(cfg config.Config, d *deps, limiter *ratelimit.Limiter, logger *slog.Logger) *staff.Service {
	return staff.NewService(staff.Deps{
		DB: d.DB, Guard: guard.New(limiter, d.DB, d.Clock, cfg.Keys), Passwords: password.NewHasher(runtime.GOMAXPROCS(0)),
		Clock: d.Clock, Keys: cfg.Keys, Limits: limitsOf(cfg), Logger: logger,
	})
}

// newViews builds looking at an account with its customer's consent.
func newViews(cfg config.Config, d *deps, people *staff.Service) *support.Views {
	return support.NewViews(support.ViewsDeps{DB: d.DB, Jobs: d.Jobs, Clock: d.Clock, Keys: cfg.Keys, Recorder: people})
}

// limitReads bounds how much one member of staff looks at.
func limitReads(cfg config.Config, limiter *ratelimit.Limiter) gin.HandlerFunc {
	return middleware.LimitStaffReads(limiter, ratelimit.Rule{Name: "staff-reads", Limit: limitsOf(cfg).StaffReads, Window: 5 * time.Minute},
		handler.StaffReadsOfNobody())
}

// addSupport builds the console of staff and adds its calls.
func addSupport(engine *gin.Engine, cfg config.Config, d *deps, limiter *ratelimit.Limiter, g *gate, subs *subscription.Service,
	logger *slog.Logger,
) error {
	enforcer, err := authz.New()
	if err != nil {
		return fmt.Errorf("access policies: %w", err)
	}
	people := newStaff(cfg, d, limiter, logger)
	inbox := support.NewInbox(d.DB, d.Clock)
	area := handler.NewSupport(handler.SupportDeps{
		Staff: people, Desk: support.NewDesk(d.DB, d.Jobs, d.Clock, people, inbox), Inbox: inbox, Views: newViews(cfg, d, people),
		Help: support.NewHelp(support.HelpDeps{
			DB: d.DB, Jobs: d.Jobs, Clock: d.Clock, Keys: cfg.Keys, Recorder: people, Accounts: g.accounts,
		}),
		Bills:       subs,
		Reversals:   payment.NewReversals(d.DB, d.Jobs, d.Clock, people, money.Paise(cfg.RefundApprovalAbove*paiseInARupee)),
		Concessions: subscription.NewConcessions(d.DB, d.Clock, people),
		Cookies:     g.cookies, Clock: d.Clock,
	})
	before := []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL), middleware.Session(g.accounts, g.cookies),
		limitWrites(cfg, limiter, g.cookies),
	}
	require := []gin.HandlerFunc{middleware.RequireStaff(people, g.cookies, enforcer), limitReads(cfg, limiter)}
	handler.RegisterSupport(engine, area, before, require)
	jobs := handler.NewSupportJobs(support.NewWorkshop(d.DB, d.Jobs, d.Clock, people))
	handler.RegisterSupportJobs(engine, jobs, before, require)
	return nil
}
