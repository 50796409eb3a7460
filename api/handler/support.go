package handler

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// Bills returns a customer's next bill; subscription.Service implements it.
type Bills interface {
	NextBill(ctx context.Context, franchiserID string) (*subscription.NextBill, error)
}

// Reader records what staff read; staff.Service implements it.
type Reader interface {
	NoteRead(ctx context.Context, p staff.Principal, r staff.Read) error
}

// reasonBody is the reason for a staff action whose other details are in the URL.
type reasonBody struct {
	Reason string `json:"reason"`
}

// Support handles the console for staff who help customers.
type Support struct {
	staff       *staff.Service
	customers   *support.Customers
	history     *timeline.Service
	actions     *support.CustomerActions
	views       *consent.Service
	bills       Bills
	refunds     *reversal.Requests
	disputes    *dispute.Desk
	concessions *subscription.GraceExtensions
	cookies     middleware.Cookies
	clock       clock.Clock
	looksAhead  bool
}

// NewSupport returns the handlers over their parts.
func NewSupport(people *staff.Service, customers *support.Customers, history *timeline.Service, actions *support.CustomerActions,
	views *consent.Service, bills Bills, refunds *reversal.Requests, disputes *dispute.Desk,
	concessions *subscription.GraceExtensions, cookies middleware.Cookies, clk clock.Clock,
) *Support {
	return wiring.Complete(&Support{
		staff: people, customers: customers, history: history, actions: actions, views: views, bills: bills,
		refunds: refunds, disputes: disputes, concessions: concessions, cookies: cookies, clock: clk,
	})
}

// RegisterSupport adds the staff routes to the engine: sign-in behind before, everything else behind require as well.
func RegisterSupport(e *gin.Engine, h *Support, before, require []gin.HandlerFunc) {
	public := e.Group(SupportPrefix, before...)
	public.POST("/login", Handle(h.login))
	private := public.Group("", require...)
	private.POST("/logout", Handle(h.logout))
	private.GET("/me", Handle(h.me))
	private.GET("/search", Handle(h.search))
	private.GET("/money", Handle(h.waitingMoney))
	private.GET("/money/export", Handle(h.exportMoney))
	private.GET("/customers", Handle(h.list))
	private.GET("/customers/:id", Handle(h.customer))
	private.GET("/customers/:id/timeline", Handle(h.timeline))
	private.GET("/customers/:id/timeline/:entry", Handle(h.entry))
	private.GET("/mobiles/:mobile", Handle(h.mobile))
	private.GET("/audit", Handle(h.audit))
	private.GET("/audit/export", Handle(h.exportAudit))

	private.POST("/customers/:id/unlock", Handle(h.unlock))
	private.POST("/customers/:id/sessions/end", Handle(h.endSessions))
	private.POST("/customers/:id/domain/recheck", Handle(h.recheckDomain))
	private.POST("/customers/:id/payments/:payment/ask", Handle(h.askGateway))
	private.POST("/customers/:id/invoices/:invoice/resend", Handle(h.resendInvoice))
	private.POST("/customers/:id/grace", Handle(h.extendGrace))
	private.POST("/mobiles/:mobile/unlock", Handle(h.unlockMobile))
	private.GET("/documents/lost", Handle(h.lostDocuments))
	private.POST("/documents/restore", Handle(h.restoreDocuments))
	private.POST("/customers/:id/views", Handle(h.askView))
	private.POST("/views/:id/begin", Handle(h.beginView))
	private.POST("/views/:id/end", Handle(h.endView))

	private.GET("/reversals", Handle(h.reversals))
	private.GET("/reversals/export", Handle(h.exportReversals))
	private.POST("/reversals", Handle(h.requestReversal))
	private.POST("/reversals/:id/approve", decided(h.refunds.Approve, func(r reversal.Reversal) string { return "Approved. " + begun(r.Kind) }, viewOfReversal))
	private.POST("/disputes/:id/close", Handle(h.closeDispute))
	private.POST("/reversals/:id/decline", decided(h.refunds.Decline, says[reversal.Reversal]("Declined. Nothing was booked or paid back."), viewOfReversal))
	private.POST("/reversals/:id/withdraw", decided(h.refunds.Withdraw, says[reversal.Reversal]("Withdrawn. Nothing was booked or paid back."), viewOfReversal))
}

// StaffReadsOfNobody returns the registered staff routes that show no customer's name, address or number, each with its content. Every
// other read is limited, and recorded before it is shown.
func StaffReadsOfNobody() map[string]string {
	routes := map[string]string{
		"/me":                           "the member of staff",
		"/account":                      "the member of staff",
		"/account/ties":                 "members of staff",
		"/staff":                        "members of staff",
		"/staff/:id":                    "a member of staff",
		"/e-invoices/counts":            "counts",
		"/contacts/counts":              "counts",
		"/contact-macros":               "replies that staff wrote for nobody in particular",
		"/presence":                     "names of members of staff",
		"/saved-views":                  "filters of lists, under names that staff gave them",
		"/books/lock":                   "days, and which member locked them",
		"/books/deferred-revenue":       "sums of months",
		"/books/trial-balance":          "sums of accounts",
		"/books/profit-and-loss":        "sums of accounts",
		"/figures":                      "sums of months",
		"/figures/:figure/file":         "sums of months",
		"/books/files/:month":           "numbers of entries and documents of a month",
		"/gst-returns":                  "months",
		"/catalogue":                    "what is sold, and which members of staff changed it",
		"/catalogue/changes":            "changes of what is sold",
		"/catalogue/changes/:id":        "a change of what is sold",
		"/announcements":                "what everybody is told",
		"/gst-returns/:month":           "sums of a month, and the numbers of its documents",
		"/settlements":                  "sums and transactions of a gateway's days",
		"/settlements/:gateway/:day":    "sums and transactions of a gateway's day",
		"/jobs":                         "kinds, errors and ids",
		"/jobs/summary":                 "counts",
		"/jobs/operations":              "what members of staff did to jobs",
		"/jobs/operations/:id":          "what a member of staff did to jobs",
		"/jobs/:job":                    "arguments, which are ids only",
		"/alerts":                       "counts and thresholds",
		"/alerts/history":               "counts and thresholds",
		"/alerts/rules":                 "rules and thresholds",
		"/books/checks":                 "results of rules, and ids of rows",
		"/documents/lost":               "counts",
		"/queues":                       "counts, workers and schedules",
		"/api-keys":                     "labels and times of keys",
		"/sign-in-systems":              "addresses of the operator's own systems",
		"/webhooks":                     "addresses of the operator's own systems",
		"/webhook-deliveries":           "kinds, states and ids",
		"/webhook-deliveries/:delivery": "ids and states, and what the operator's own system answered",
	}
	all := make(map[string]string, len(routes))
	for route, shows := range routes {
		all[SupportPrefix+route] = shows
	}
	return all
}

type staffView struct {
	ID    string     `json:"id"`
	Name  string     `json:"name"`
	Email string     `json:"email"`
	Role  staff.Role `json:"role"`
	// TimeMachine is whether staff can look ahead here.
	TimeMachine bool `json:"time_machine"`
}

// LookingAhead tells the console whether there is a time machine, and returns h.
func (h *Support) LookingAhead(on bool) *Support {
	h.looksAhead = on
	return h
}

func (h *Support) viewOfStaff(p staff.Principal) staffView {
	return staffView{ID: p.StaffID, Name: p.Name, Email: p.Email, Role: p.Role, TimeMachine: h.looksAhead}
}

type staffLogin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Code     string `json:"code"`
}

func (h *Support) login(c *gin.Context) error {
	var in staffLogin
	if err := Bind(c, &in); err != nil {
		return err
	}
	visitor := guard.Visitor{
		Address: c.ClientIP(), Device: h.cookies.Device(c), Work: c.GetHeader(HeaderWork), Pressed: middleware.Pressed(c),
	}
	t, err := h.staff.SignIn(c.Request.Context(), staff.SignInInput{Email: in.Email, Password: in.Password, Code: in.Code}, visitor)
	if err != nil {
		return err
	}
	return h.admit(c, t)
}

// admit ends the browser's previous session and gives it the new one.
func (h *Support) admit(c *gin.Context, t staff.Tokens) error {
	if token := h.cookies.Staff(c); token != "" {
		old, err := h.staff.Authenticate(c.Request.Context(), token)
		if err == nil {
			err = h.staff.SignOut(c.Request.Context(), old)
		}
		if err != nil && errs.KindOf(err) != errs.KindUnauthenticated {
			return err
		}
	}
	h.cookies.Remember(c, guard.KindStaff, t.Email, h.clock.Now())
	h.cookies.SetStaff(c, t, h.clock.Now())
	logSignIn(c, "signed in", "staff:"+t.StaffID)
	return OK(c, "You are signed in.", h.viewOfStaff(t.Principal))
}

func (h *Support) logout(c *gin.Context) error {
	if err := h.staff.SignOut(c.Request.Context(), middleware.Staff(c)); err != nil {
		return err
	}
	h.cookies.ClearView(c)
	h.cookies.ClearStaff(c)
	return OK(c, "You are signed out.", nil)
}

func (h *Support) me(c *gin.Context) error { return OK(c, "", h.viewOfStaff(middleware.Staff(c))) }

// note records what staff are about to see.
func (h *Support) note(c *gin.Context, r staff.Read) error {
	return h.staff.NoteRead(c.Request.Context(), middleware.Staff(c), r)
}

func (h *Support) search(c *gin.Context) error {
	all, err := flag(c, "all")
	if err != nil {
		return err
	}
	hits, more, err := h.customers.Search(c.Request.Context(), c.Query("q"), all)
	if err != nil {
		return err
	}
	if err := h.note(c, h.staff.ReadSearch(c.Query("q"), len(hits))); err != nil {
		return err
	}
	rows := make([]gin.H, 0, len(hits))
	for _, hit := range hits {
		rows = append(rows, gin.H{"customer_id": hit.FranchiserID, "kind": hit.Kind, "label": hit.Label, "exact": hit.Exact, "name": hit.Name, "mobile": hit.Mobile})
	}
	return OK(c, "", gin.H{"hits": rows, "more": more})
}
