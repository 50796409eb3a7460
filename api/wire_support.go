package main

import (
	"fmt"
	"runtime"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

const staffTriesPerAddress = 30

// addSupport builds the console of staff and adds its calls.
func addSupport(engine *gin.Engine, cfg config.Config, d *deps, limiter *ratelimit.Limiter, g *gate) error {
	enforcer, err := authz.New()
	if err != nil {
		return fmt.Errorf("access policies: %w", err)
	}
	tries := int64(staffTriesPerAddress)
	if cfg.Development {
		tries *= developmentFactor
	}
	people := staff.NewService(staff.Deps{
		DB: d.db, Limiter: limiter, Passwords: password.NewHasher(runtime.GOMAXPROCS(0)), Clock: d.clock, Keys: cfg.Keys,
		TriesPerAddress: tries,
	})
	inbox := support.NewInbox(d.db, d.clock)
	area := handler.NewSupport(people, support.NewDesk(d.db, d.jobs, d.clock, people, inbox), inbox, g.cookies, d.clock)
	perFranchiser, perAddress := writeLimits(cfg)
	before := []gin.HandlerFunc{
		middleware.Origin(cfg.PublicURL), middleware.Session(g.accounts, g.cookies),
		middleware.LimitWrites(limiter, perFranchiser, perAddress),
	}
	require := []gin.HandlerFunc{middleware.RequireStaff(people, g.cookies, enforcer)}
	handler.RegisterSupport(engine, area, before, require)
	jobs := handler.NewSupportJobs(support.NewWorkshop(d.db, d.jobs, d.clock, people))
	handler.RegisterSupportJobs(engine, jobs, before, require)
	return nil
}
