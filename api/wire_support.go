package main

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// addSupport adds the calls of staff. Nothing of them asks a gateway: what is to be compared again is a job.
func addSupport(engine *gin.Engine, a *app.API, clk clock.Clock, g *gate) {
	before, require := g.staffBefore, g.staffRequire
	handler.RegisterSupport(engine, handler.NewSupport(handler.SupportDeps{
		Staff: a.Staff, Customers: a.Customers, Timeline: a.Timeline, Actions: a.CustomerActions, Views: a.Views, Contacts: a.Contacts, Bills: a.Subscriptions,
		Reversals: a.Reversals, Concessions: a.GraceExtensions, Cookies: g.cookies, Clock: clk,
	}), before, require)
	handler.RegisterSupportJobs(engine, handler.NewSupportJobs(a.JobAdmin), before, require)
	money := handler.NewSupportMoney(a.Payments, a.Settlements, a.Ledger, a.Comparisons, a.Staff, clk, a.ApproveAbove)
	handler.RegisterSupportMoney(engine, money, before, require)
	handler.RegisterSupportInputTax(engine, handler.NewSupportInputTax(a.InputTax, a.Staff), before, require)
	handler.RegisterSupportBooks(engine, handler.NewSupportBooks(a.Locks), before, require)
}
