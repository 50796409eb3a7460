package handler

import (
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/timeline"
)

type customerView struct {
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Mobile       string           `json:"mobile"`
	Email        string           `json:"email"`
	CreatedAt    time.Time        `json:"created_at"`
	Erased       bool             `json:"erased"`
	EraseOn      *string          `json:"erase_on"`
	TOTPEnabled  bool             `json:"totp_enabled"`
	State        string           `json:"state"`
	Plan         string           `json:"plan"`
	PlanType     string           `json:"plan_type"`
	RenewOn      *string          `json:"renew_on"`
	AddOns       []string         `json:"add_ons"`
	NextBill     *nextBillView    `json:"next_bill"`
	StoreName    string           `json:"store_name"`
	StoreSlug    string           `json:"store_slug"`
	Domain       string           `json:"domain"`
	DomainState  string           `json:"domain_state"`
	Address      string           `json:"address"`
	LastPayment  *lastPaymentView `json:"last_payment"`
	Refunded     string           `json:"refunded"`
	OpenDisputes int              `json:"open_disputes"`

	LegalName    string             `json:"legal_name"`
	GSTIN        string             `json:"gstin"`
	OpenRequests []openRequestView  `json:"open_requests"`
	MobileChange *pendingMobileView `json:"mobile_change"`
	Team         []teamMemberView   `json:"team"`
	Mandates     []mandateView      `json:"mandates"`
	FailedJobs   int                `json:"failed_jobs"`
	OpenSessions int                `json:"open_sessions"`
	LastSeenAt   *time.Time         `json:"last_seen_at"`
	Health       []support.Health   `json:"health"`
	Kinds        []timeline.Kind    `json:"kinds"`
}

// lastPaymentView is the customer's last payment; At is the time of the decision, or of the request before a decision, and Reason is for
// the customer.
type lastPaymentView struct {
	ID          string    `json:"id"`
	Transaction string    `json:"transaction_id"`
	Gateway     string    `json:"gateway"`
	State       string    `json:"state"`
	Amount      string    `json:"amount"`
	At          time.Time `json:"at"`
	Reason      string    `json:"reason"`
}

func lastPaymentOf(c support.Customer) *lastPaymentView {
	if c.PaymentID == nil || c.PaymentAt == nil {
		return nil
	}
	return &lastPaymentView{
		ID: *c.PaymentID, Transaction: c.PaymentTransaction, Gateway: c.PaymentGateway, State: string(c.PaymentState),
		Amount: c.PaymentAmount.Display(), At: c.PaymentAt.UTC(), Reason: c.PaymentReason,
	}
}

// pendingMobileView is a change of a lost mobile that waits for its time.
type pendingMobileView struct {
	ActID  string    `json:"act_id"`
	Ending string    `json:"ending"`
	DueAt  time.Time `json:"due_at"`
}

func pendingMobileOf(c *recovery.MobileChange) *pendingMobileView {
	if c == nil {
		return nil
	}
	return &pendingMobileView{ActID: c.ID, Ending: c.Ending(), DueAt: c.DueAt.UTC()}
}

// teamMemberView is a person who may act in the customer's account, or is invited to.
type teamMemberView struct {
	ID         string           `json:"id"`
	Name       string           `json:"name"`
	Mobile     string           `json:"mobile"`
	Role       account.Role     `json:"role"`
	State      team.MemberState `json:"state"`
	LastSeenAt *time.Time       `json:"last_seen_at"`
}

func teamOf(members []team.Member) []teamMemberView {
	out := make([]teamMemberView, 0, len(members))
	for _, m := range members {
		out = append(out, teamMemberView{ID: m.ID, Name: m.Name, Mobile: m.Mobile, Role: m.Role, State: m.State, LastSeenAt: utc(m.SeenAt)})
	}
	return out
}

// nextBillView is the renewal's charge; PayBy is the last day of grace, both days in India.
type nextBillView struct {
	On     string `json:"on"`
	PayBy  string `json:"pay_by"`
	Amount string `json:"amount"`
}

type customerRowView struct {
	ID          string             `json:"id"`
	Name        string             `json:"name"`
	Person      string             `json:"person"`
	Mobile      string             `json:"mobile"`
	CreatedAt   time.Time          `json:"created_at"`
	State       string             `json:"state"`
	Plan        string             `json:"plan"`
	PlanType    string             `json:"plan_type"`
	RenewOn     *string            `json:"renew_on"`
	LastPayment *listedPaymentView `json:"last_payment"`
}

type listedPaymentView struct {
	Transaction string    `json:"transaction_id"`
	State       string    `json:"state"`
	Amount      string    `json:"amount"`
	At          time.Time `json:"at"`
}

func customerRowOf(r support.CustomerRow) customerRowView {
	v := customerRowView{
		ID: r.ID, Name: r.Name, Person: r.Person, Mobile: r.Mobile, CreatedAt: r.CreatedAt.UTC(), State: r.State, Plan: r.Plan, PlanType: r.PlanType,
		RenewOn: r.RenewOn,
	}
	if r.PaymentAt != nil {
		v.LastPayment = &listedPaymentView{
			Transaction: r.PaymentTransaction, State: r.PaymentState, Amount: r.PaymentAmount.Display(), At: r.PaymentAt.UTC(),
		}
	}
	return v
}

// customerFilter reads the filters of the list from the query.
func customerFilter(c *gin.Context, page Page) (support.CustomerFilter, error) {
	f := support.CustomerFilter{
		State: c.Query("state"), Plan: c.Query("plan"), Tag: c.Query("tag"), Sort: c.Query("sort"), After: c.Query("after"),
		Offset: page.Offset(), Limit: page.PerPage,
	}
	var v errs.Validation
	days := func(field string) int {
		given := c.Query(field)
		n, err := strconv.Atoi(given)
		v.Check(given == "" || err == nil && n > 0, field, "Choose a number of days.")
		return n
	}
	f.RenewsWithin, f.SignedUpWithin = days("renews_within"), days("signed_up_within")
	owes := c.Query("owes")
	v.Check(owes == "" || owes == "true" || owes == "false", "owes", "Kindly choose one")
	f.Owes = owes == "true"
	return f, v.Err()
}

func (h *Support) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	f, err := customerFilter(c, page)
	if err != nil {
		return err
	}
	found, total, err := h.customers.List(c.Request.Context(), f)
	if err != nil {
		return err
	}
	if err := h.note(c, staff.ReadList("customers")); err != nil {
		return err
	}
	rows := make([]customerRowView, 0, len(found))
	for _, r := range found {
		rows = append(rows, customerRowOf(r))
	}
	if len(found) > 0 {
		page.After = found[len(found)-1].Place()
	}
	return List(c, "", rows, page, total)
}

func (h *Support) customer(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	found, err := h.customers.Customer(c.Request.Context(), middleware.Staff(c), franchiserID)
	if err != nil {
		return err
	}
	bill, err := h.nextBill(c, found)
	if err != nil {
		return err
	}
	return OK(c, "", customerView{
		ID: found.ID, Name: found.Name, Mobile: found.Mobile, Email: found.Email, CreatedAt: found.CreatedAt.UTC(),
		Erased: found.Erased, EraseOn: eraseOn(found.Erasure()), TOTPEnabled: found.TOTPEnabled, State: found.State,
		Plan: found.Plan, PlanType: found.PlanType, RenewOn: found.RenewOn, AddOns: found.AddOns, NextBill: bill, StoreName: found.StoreName, StoreSlug: found.StoreSlug, Domain: found.Domain,
		DomainState: found.DomainState, Address: found.Address, LastPayment: lastPaymentOf(found),
		Refunded: found.Refunded.Display(), OpenDisputes: found.OpenDisputes,
		LegalName: found.LegalName, GSTIN: found.GSTIN, OpenRequests: openRequestsOf(found), MobileChange: pendingMobileOf(found.MobileChange),
		Team: teamOf(found.Team), Mandates: mandatesOf(found.Mandates), FailedJobs: found.FailedJobs, OpenSessions: found.OpenSessions, LastSeenAt: utc(found.LastSeenAt),
		Health: h.customers.Health(middleware.Staff(c).Role, found), Kinds: timeline.Kinds(),
	})
}

func (h *Support) nextBill(c *gin.Context, found support.Customer) (*nextBillView, error) {
	if found.Erased {
		return nil, nil // an erased customer has no next bill
	}
	bill, err := h.bills.NextBill(c.Request.Context(), found.ID)
	if err != nil || bill == nil || bill.PayBy == 0 { // an erased customer has no next bill; it can be bought again
		return nil, err
	}
	return &nextBillView{On: bill.RenewsOn.String(), PayBy: bill.PayBy.String(), Amount: bill.Totals.Total.Display()}, nil
}

type entryView struct {
	ID        string         `json:"id"`
	At        time.Time      `json:"at"`
	Kind      timeline.Kind  `json:"kind"`
	Title     string         `json:"title"`
	Status    string         `json:"status"`
	Reference string         `json:"reference"`
	Actor     string         `json:"actor"`
	RequestID string         `json:"request_id"`
	Details   map[string]any `json:"details"`
}

func viewOfEntry(e timeline.Entry) entryView { return entryView(e) }

func timelineAnswer(t timeline.Page) gin.H {
	rows := make([]entryView, 0, len(t.Entries))
	for _, e := range t.Entries {
		rows = append(rows, viewOfEntry(e))
	}
	answer := gin.H{"entries": rows, "next": nil}
	if t.Next != "" {
		answer["next"] = t.Next
	}
	return answer
}

func timelineQuery(c *gin.Context) (timeline.Query, error) {
	q := timeline.Query{Before: c.Query("before"), Limit: timeline.DefaultEntries}
	if kinds := c.Query("kind"); kinds != "" {
		for kind := range strings.SplitSeq(kinds, ",") {
			q.Kinds = append(q.Kinds, timeline.Kind(kind))
		}
	}
	if limit := c.Query("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > timeline.MaxEntries {
			return q, errs.Invalid("Please check the marked fields.").Field("limit", "A page has 1 to 100 entries.")
		}
		q.Limit = n
	}
	return q, nil
}

func (h *Support) timeline(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	q, err := timelineQuery(c)
	if err != nil {
		return err
	}
	q.FranchiserID = franchiserID
	page, err := h.history.Read(c.Request.Context(), q)
	if err != nil {
		return err
	}
	if err := h.note(c, staff.ReadTimeline(franchiserID)); err != nil {
		return err
	}
	return OK(c, "", timelineAnswer(page))
}

func (h *Support) entry(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	found, err := h.history.Entry(c.Request.Context(), franchiserID, c.Param("entry"))
	if err != nil {
		return err
	}
	if err := h.note(c, staff.ReadTimeline(franchiserID)); err != nil {
		return err
	}
	return OK(c, "", viewOfEntry(found))
}

func paramMobile(c *gin.Context) (string, error) {
	mobile := c.Param("mobile")
	var v errs.Validation
	if account.CheckMobile(&v, "mobile", mobile); v.Err() != nil {
		return "", errs.NotFound()
	}
	return mobile, nil
}

// mobile returns the state of an unfinished sign-up by number, and its messages.
func (h *Support) mobile(c *gin.Context) error {
	mobile, err := paramMobile(c)
	if err != nil {
		return err
	}
	found, err := h.customers.Mobile(c.Request.Context(), mobile)
	if err != nil {
		return err
	}
	q, err := timelineQuery(c)
	if err != nil {
		return err
	}
	q.Mobile = mobile
	page, err := h.history.Read(c.Request.Context(), q)
	if err != nil {
		return err
	}
	if err := h.note(c, staff.ReadMobile(mobile)); err != nil {
		return err
	}
	answer := timelineAnswer(page)
	answer["mobile"], answer["pending"], answer["locked"] = mobile, found.Pending, h.customers.Locked(found)
	answer["messages"] = found.Messages
	return OK(c, "", answer)
}
