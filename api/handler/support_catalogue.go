package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// SupportCatalogue handles the catalogue as staff change it.
type SupportCatalogue struct {
	changes *plan.Changes
	subs    *subscription.Service
	reads   Reader
}

// NewSupportCatalogue returns the handlers over their parts.
func NewSupportCatalogue(changes *plan.Changes, subs *subscription.Service, reads Reader) *SupportCatalogue {
	return wiring.Complete(&SupportCatalogue{changes: changes, subs: subs, reads: reads})
}

// RegisterSupportCatalogue adds the routes, behind before and require.
func RegisterSupportCatalogue(e *gin.Engine, h *SupportCatalogue, before, require []gin.HandlerFunc) {
	of := e.Group(SupportPrefix, before...).Group("/catalogue", require...)
	of.GET("", Handle(h.sold))
	of.GET("/changes", Handle(h.list))
	of.POST("/changes", Handle(h.draft))
	of.GET("/changes/:id", Handle(h.show))
	of.POST("/changes/:id/save", Handle(h.save))
	of.POST("/changes/:id/rebase", Handle(h.rebase))
	of.POST("/changes/:id/propose", Handle(h.propose))
	of.POST("/changes/:id/decision", Handle(h.decide))
	of.GET("/changes/:id/effect", Handle(h.effect))
}

type loadedView struct {
	Revision       int       `json:"revision"`
	Version        string    `json:"version"`
	SoldFrom       time.Time `json:"sold_from"`
	ChangeID       *string   `json:"change_id"`
	ProposedByName string    `json:"proposed_by_name"`
	ApprovedByName string    `json:"approved_by_name"`
	Reason         string    `json:"reason"`
}

func (h *SupportCatalogue) sold(c *gin.Context) error {
	s, err := h.changes.Sold(c.Request.Context())
	if err != nil {
		return err
	}
	history := make([]loadedView, 0, len(s.History))
	for _, r := range s.History {
		history = append(history, loadedView{
			Revision: r.Revision, Version: r.Version, SoldFrom: r.LoadedAt.UTC(), ChangeID: orNull(r.ChangeID),
			ProposedByName: r.ProposedByName, ApprovedByName: r.ApprovedByName, Reason: r.Reason,
		})
	}
	return OK(c, "", gin.H{"revision": s.Revision, "catalogue": s.Document, "lawful_rates_bps": s.LawfulNow, "history": history})
}

type changeView struct {
	ID             string           `json:"id"`
	State          plan.ChangeState `json:"state"`
	Version        string           `json:"version"`
	BaseRevision   int              `json:"base_revision"`
	Edit           int              `json:"edit"`
	DraftedByName  string           `json:"drafted_by_name"`
	EditedByName   string           `json:"edited_by_name"`
	EditedAt       time.Time        `json:"edited_at"`
	EffectiveFrom  *time.Time       `json:"effective_from"`
	Reason         string           `json:"reason"`
	ProposedBy     *string          `json:"proposed_by"`
	ProposedByName string           `json:"proposed_by_name"`
	ApprovedByName string           `json:"approved_by_name"`
	ApprovalReason string           `json:"approval_reason"`
	EndedByName    string           `json:"ended_by_name"`
	EndReason      string           `json:"end_reason"`
	Revision       *int             `json:"revision"`
	Outcome        string           `json:"outcome"`
}

func viewOfChange(c plan.Change) changeView {
	return changeView{
		ID: c.ID, State: c.State, Version: c.Content.Version, BaseRevision: c.BaseRevision, Edit: c.Edit, DraftedByName: c.DraftedByName,
		EditedByName: c.EditedByName, EditedAt: c.EditedAt.UTC(), EffectiveFrom: utc(c.EffectiveFrom), Reason: c.Reason,
		ProposedBy: orNull(c.ProposedBy), ProposedByName: c.ProposedByName, ApprovedByName: c.ApprovedByName,
		ApprovalReason: c.ApprovalReason, EndedByName: c.EndedByName, EndReason: c.EndReason, Revision: c.Revision, Outcome: c.Outcome,
	}
}

func (h *SupportCatalogue) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.changes.List(c.Request.Context(), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	rows := make([]changeView, 0, len(list))
	for _, one := range list {
		rows = append(rows, viewOfChange(one))
	}
	return List(c, "", rows, page, total)
}

type changedView struct {
	Place  string `json:"place"`
	Field  string `json:"field"`
	Before string `json:"before"`
	After  string `json:"after"`
	Large  bool   `json:"large"`
}

type reviewView struct {
	changeView

	Catalogue   plan.Document `json:"catalogue"`
	Differences []changedView `json:"differences"`
	Problems    []string      `json:"problems"`
	Warnings    []string      `json:"warnings"`
	Outdated    bool          `json:"outdated"`
}

func answerReview(c *gin.Context, message string, r plan.Review, err error) error {
	if err != nil {
		return err
	}
	view := reviewView{
		changeView: viewOfChange(r.Change), Catalogue: r.Content.Document, Differences: make([]changedView, 0, len(r.Differences)),
		Problems: r.Problems, Warnings: r.Warnings, Outdated: r.Outdated,
	}
	for _, d := range r.Differences {
		view.Differences = append(view.Differences, changedView(d))
	}
	return OK(c, message, view)
}

func (h *SupportCatalogue) show(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	r, err := h.changes.Review(c.Request.Context(), changeID)
	return answerReview(c, "", r, err)
}

func (h *SupportCatalogue) draft(c *gin.Context) error {
	var in struct {
		From string `json:"from"`
	}
	err := bindWith(c, &in, func(v *errs.Validation) {
		v.Check(in.From == "" || id.Valid(in.From), "from", "There is no such change.")
	})
	if err != nil {
		return err
	}
	r, err := h.changes.Draft(c.Request.Context(), middleware.Staff(c), in.From)
	return answerReview(c, "The draft is begun.", r, err)
}

func (h *SupportCatalogue) save(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Edit      int           `json:"edit"`
		Catalogue plan.Document `json:"catalogue"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	r, err := h.changes.Save(c.Request.Context(), middleware.Staff(c), changeID, in.Edit, in.Catalogue)
	return answerReview(c, "The draft is saved.", r, err)
}

func (h *SupportCatalogue) rebase(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Edit int `json:"edit"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	r, err := h.changes.Rebase(c.Request.Context(), middleware.Staff(c), changeID, in.Edit)
	return answerReview(c, "The draft is up to date.", r, err)
}

func (h *SupportCatalogue) propose(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Edit          int       `json:"edit"`
		EffectiveFrom time.Time `json:"effective_from"`
		Reason        string    `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	r, err := h.changes.Propose(c.Request.Context(), middleware.Staff(c), changeID, plan.Proposal{
		Edit: in.Edit, EffectiveFrom: in.EffectiveFrom, Reason: in.Reason,
	})
	return answerReview(c, "Proposed. A second admin has to approve it before its time.", r, err)
}

func (h *SupportCatalogue) decide(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Decision plan.Decision `json:"decision"`
		Reason   string        `json:"reason"`
	}
	err = bindWith(c, &in, func(v *errs.Validation) { v.Check(in.Decision.Valid(), "decision", "Choose one.") })
	if err != nil {
		return err
	}
	said := map[plan.Decision]string{
		plan.Approve: "Approved. It is sold by from its time on.", plan.Reject: "Rejected. Nothing changes.",
		plan.Withdraw: "Withdrawn. Nothing changes.",
	}
	r, err := h.changes.Decide(c.Request.Context(), middleware.Staff(c), changeID, in.Decision, in.Reason)
	return answerReview(c, said[in.Decision], r, err)
}

type priceGroupView struct {
	Tier      string    `json:"tier"`
	Type      plan.Type `json:"plan_type"`
	Customers int       `json:"customers"`
	Dearer    int       `json:"dearer"`
	Cheaper   int       `json:"cheaper"`
	Ended     int       `json:"ended"`
	Before    int64     `json:"before_paise"`
	After     int64     `json:"after_paise"`
}

type pricedRenewalView struct {
	CustomerID   string           `json:"customer_id"`
	CustomerName string           `json:"customer_name"`
	Tier         string           `json:"tier"`
	Type         plan.Type        `json:"plan_type"`
	RenewsOn     subscription.Day `json:"renews_on"`
	Before       *int64           `json:"before_paise"`
	After        *int64           `json:"after_paise"`
	TotalBefore  *int64           `json:"total_before_paise"`
	TotalAfter   *int64           `json:"total_after_paise"`
}

// effect returns the change's effect on renewals, with a page of the customers whose bill changes.
func (h *SupportCatalogue) effect(c *gin.Context) error {
	changeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	now, then, err := h.changes.Compared(ctx, changeID)
	if err != nil {
		return err
	}
	e, err := h.subs.PriceEffect(ctx, now, then, page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	if err := h.reads.NoteRead(ctx, middleware.Staff(c), staff.ReadList("catalogue")); err != nil {
		return err
	}
	titleOf := func(serviceID string) string {
		for _, of := range []*plan.Catalogue{then, now} {
			if t, sold := of.Tier(serviceID); sold {
				return t.Title()
			}
		}
		return "A plan that is no longer sold"
	}
	groups, rows := make([]priceGroupView, 0, len(e.Groups)), make([]pricedRenewalView, 0, len(e.Renewals))
	for _, g := range e.Groups {
		groups = append(groups, priceGroupView{
			Tier: titleOf(g.ServiceID), Type: g.Type, Customers: g.Customers, Dearer: g.Dearer, Cheaper: g.Cheaper, Ended: g.Ended,
			Before: int64(g.Before), After: int64(g.After),
		})
	}
	for _, r := range e.Renewals {
		rows = append(rows, pricedRenewalView{
			CustomerID: r.FranchiserID, CustomerName: r.Name, Tier: titleOf(r.ServiceID), Type: r.Type, RenewsOn: r.RenewsOn,
			Before: (*int64)(r.Before), After: (*int64)(r.After), TotalBefore: (*int64)(r.TotalBefore), TotalAfter: (*int64)(r.TotalAfter),
		})
	}
	return OK(c, "", gin.H{
		"customers": e.Customers, "affected": e.Affected, "tax_changes": e.TaxChanges, "monthly_before_paise": int64(e.MonthlyBefore),
		"monthly_after_paise": int64(e.MonthlyAfter), "groups": groups, "renewals": rows, "page": page.Number,
		"last_page": max(1, (e.Affected+page.PerPage-1)/page.PerPage),
	})
}
