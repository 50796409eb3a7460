package main

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// addSupport adds the staff calls. None of them calls a gateway: a repeated comparison is a job.
func addSupport(engine *gin.Engine, a *app.API, clk clock.Clock, g *gate) {
	before, require := g.staffBefore, g.staffRequire
	console := handler.NewSupport(a.Staff, a.Customers, a.Timeline, a.CustomerActions, a.Views, a.Subscriptions, a.Reversals, a.Disputes,
		a.GraceExtensions, g.cookies, clk).LookingAhead(a.TimeMachine.On())
	handler.RegisterSupport(engine, console, before, require)
	handler.RegisterSupportActs(engine, handler.NewSupportActs(a.Acts, a.Invoices, a.EInvoices, a.Staff), before, require)
	handler.RegisterSupportNotes(engine, handler.NewSupportNotes(a.Customers, a.CustomerActions, a.Staff), before, require)
	handler.RegisterSupportJobs(engine, handler.NewSupportJobs(a.JobAdmin, a.Staff), before, require)
	handler.RegisterSupportSavedViews(engine, handler.NewSupportSavedViews(a.SavedViews), before, require)
	money := handler.NewSupportMoney(a.Payments.Trails, a.Settlements, a.Ledger, a.Comparisons, a.Staff, clk, a.ApproveAbove)
	handler.RegisterSupportMoney(engine, money, before, require)
	handler.RegisterSupportInputTax(engine, handler.NewSupportInputTax(a.InputTax, a.Staff), before, require)
	handler.RegisterSupportKeys(engine, handler.NewSupportKeys(a.Connect, g.cookies), before, require)
	handler.RegisterSupportSignIn(engine, handler.NewSupportSignIn(a.SignIns, g.cookies), before, require)
	handler.RegisterSupportWebhooks(engine, handler.NewSupportWebhooks(a.Webhooks, g.cookies), before, require)
	handler.RegisterSupportGSTReturns(engine, handler.NewSupportGSTReturns(a.Returns, a.Staff), before, require)
	handler.RegisterSupportCatalogue(engine, handler.NewSupportCatalogue(a.Catalogue, a.Subscriptions, a.Staff), before, require)
	handler.RegisterSupportAnnouncements(engine, handler.NewSupportAnnouncements(a.Announcements), before, require)
	handler.RegisterSupportBookFiles(engine, handler.NewSupportBookFiles(a.BookFiles), before, require)
	handler.RegisterSupportAccounts(engine, handler.NewSupportAccounts(a.BookReports, a.Statements, a.Deferred, a.Staff, clk), before, require)
	handler.RegisterSupportFigures(engine, handler.NewSupportFigures(a.Figures, clk), before, require)
	handler.RegisterSupportStaff(engine, handler.NewSupportStaff(a.StaffAccounts, g.cookies), before, require)
	handler.RegisterSupportPasskeys(engine, handler.NewSupportPasskeys(console, a.StaffPasskeys, g.cookies), before, require)
	handler.RegisterSupportEInvoices(engine, handler.NewSupportEInvoices(a.EInvoices, a.Staff), before, require)
	handler.RegisterSupportAlerts(engine, handler.NewSupportAlerts(a.Alerts), before, require)
	handler.RegisterSupportContacts(engine, handler.NewSupportContacts(a.ContactDesk, a.Staff), before, require)
	handler.RegisterSupportDeliveries(engine, handler.NewSupportDeliveries(a.DeliveryDesk, a.Staff), before, require)
	handler.RegisterSupportPresence(engine, handler.NewSupportPresence(a.Presence), before, require)
	handler.RegisterSupportWork(engine, handler.NewSupportWork(a.Work, a.Staff), before, require)
	handler.RegisterSupportBookChecks(engine, handler.NewSupportBookChecks(a.Ledger, a.JobAdmin), before, require)
	handler.RegisterSupportTransfers(engine, handler.NewSupportTransfers(a.TransferDesk, a.Staff), before, require)
	handler.RegisterSupportTimeMachine(engine, handler.NewSupportTimeMachine(a.TimeMachine), before, require)
	handler.RegisterSupportBooks(engine, handler.NewSupportBooks(a.Locks), before, require)
}
