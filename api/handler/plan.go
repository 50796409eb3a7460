package handler

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/compress"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Plans handles the catalogue and its prices.
type Plans struct {
	plans *plan.Service
	subs  *subscription.Service
	told  *told
	pages atomic.Pointer[planPages]
}

// NewPlans returns the handlers backed by the catalogue.
func NewPlans(plans *plan.Service, subs *subscription.Service, clk clock.Clock) *Plans {
	return &Plans{plans: plans, subs: subs, told: newTold(subs, clk)}
}

// Register adds the routes.
func (h *Plans) Register(r Routes) {
	r.Public.GET("/subscription-plan/list", Handle(h.list))
	r.Public.GET("/subscription-plan/details/:id", Handle(h.details))
	r.Public.GET("/subscription-plan/add-ons-services/:id", Handle(h.addOns))
	r.Public.POST("/subscription-plan/quote", Handle(h.quote))
}

type planFeature struct {
	Features i18n.Sentence `json:"features"`
}

type planAnswer struct {
	ID             string        `json:"id"`
	Name           string        `json:"plan_name"`
	MostPopular    bool          `json:"most_popular"`
	YearlyDiscount string        `json:"yearly_discount"`
	Features       []planFeature `json:"subscription_plan_features"`
	Service        *tierAnswer   `json:"subscription_plan_service,omitempty"`
	Services       []tierAnswer  `json:"subscription_plan_services,omitempty"`
}

type tierAnswer struct {
	ID                  string        `json:"id"`
	Name                string        `json:"service_name"`
	Monthly             string        `json:"monthly_service_amount"`
	Yearly              string        `json:"yearly_service_amount"`
	YearlyDiscount      string        `json:"yearly_discount_amount"`
	MonthlyValue        json.Number   `json:"monthly_service_amount_value"`
	YearlyValue         json.Number   `json:"yearly_service_amount_value"`
	YearlyDiscountValue json.Number   `json:"yearly_discount_amount_value"`
	MonthlyCharge       string        `json:"monthly_charge"`
	YearlyNet           string        `json:"yearly_net_amount"`
	YearlyCharge        string        `json:"yearly_charge"`
	AllInYearly         string        `json:"all_in_yearly_amount"`
	FranchiseLimit      int           `json:"franchise_limit"`
	AddOns              []addOnAnswer `json:"subscription_plan_add_ons_services"`
}

type addOnAnswer struct {
	ID           string        `json:"id"`
	Name         i18n.Sentence `json:"add_ons_service_name"`
	Limit        int           `json:"limit"`
	Monthly      string        `json:"monthly_amount"`
	Yearly       string        `json:"yearly_amount"`
	MonthlyValue json.Number   `json:"monthly_amount_value"`
	YearlyValue  json.Number   `json:"yearly_amount_value"`
	ChargedOnce  bool          `json:"charged_once"`
}

func planOf(p plan.Plan) planAnswer {
	a := planAnswer{ID: p.ID, Name: p.Name, MostPopular: p.MostPopular, YearlyDiscount: p.YearlyDiscount(), Features: []planFeature{}}
	for _, f := range p.Features {
		a.Features = append(a.Features, planFeature{i18n.Sentence(f.Name)})
	}
	return a
}

// tierOf returns a tier with today's tax-inclusive price, the same as its payment details on its own would show.
func (h *Plans) tierOf(ctx context.Context, t plan.Tier) (tierAnswer, error) {
	month, err := h.subs.PublicQuote(ctx, subscription.Selection{Type: plan.TypeMonthly, ServiceID: t.ID})
	if err != nil {
		return tierAnswer{}, err
	}
	year, err := h.subs.PublicQuote(ctx, subscription.Selection{Type: plan.TypeYearly, ServiceID: t.ID})
	if err != nil {
		return tierAnswer{}, err
	}
	return tierAnswer{
		MonthlyCharge: month.Payable().Display(), YearlyCharge: year.Payable().Display(),
		YearlyNet: (t.Yearly - t.YearlyDiscount).Display(),
		ID:        t.ID, Name: t.Name, Monthly: t.Monthly.Display(), Yearly: t.Yearly.Display(),
		YearlyDiscount: t.YearlyDiscount.Display(), MonthlyValue: t.Monthly.Rupees(), YearlyValue: t.Yearly.Rupees(),
		YearlyDiscountValue: t.YearlyDiscount.Rupees(), AllInYearly: t.AllInYearly.Display(),
		FranchiseLimit: t.FranchiseLimit, AddOns: addOnsOf(t.AddOns),
	}, nil
}

func addOnsOf(addOns []plan.AddOn) []addOnAnswer {
	out := make([]addOnAnswer, 0, len(addOns))
	for _, a := range addOns {
		out = append(out, addOnOf(a))
	}
	return out
}

func addOnOf(a plan.AddOn) addOnAnswer {
	month, year := a.Price(plan.TypeMonthly), a.Price(plan.TypeYearly)
	return addOnAnswer{
		ID: a.ID, Name: i18n.Sentence(a.Name), Limit: a.Limit, Monthly: month.Display(), Yearly: year.Display(),
		MonthlyValue: month.Rupees(), YearlyValue: year.Rupees(), ChargedOnce: a.OneTime(),
	}
}

// planPages are the plan list response in each language, made once per catalogue revision and day, because the tax may change daily.
type planPages struct {
	catalogue *plan.Catalogue
	day       subscription.Day
	in        map[i18n.Language]*planPage
}

// planPage is the response in one language, encoded and compressed.
type planPage struct {
	etag string
	// header is shared by all responses that are the same for everyone.
	header http.Header
	plain  []byte
	gzip   []byte
	zstd   []byte
}

const jsonType = "application/json; charset=utf-8"

// planPageEnd closes the data and the envelope; a personal message is inserted before it.
const planPageEnd = `}}`

func (h *Plans) newPlanPages(ctx context.Context, c *plan.Catalogue, day subscription.Day) (*planPages, error) {
	plans := make([]planAnswer, 0, len(c.Plans))
	for _, p := range c.Plans {
		a := planOf(p)
		first, err := h.tierOf(ctx, p.Tiers[0])
		if err != nil {
			return nil, err
		}
		a.Service = &first
		plans = append(plans, a)
	}
	pages := planPages{catalogue: c, day: day, in: map[i18n.Language]*planPage{}}
	for _, l := range i18n.Languages() {
		_, worded := inWordsOf(l, "", plans)
		p, err := newPlanPage(worded)
		if err != nil {
			return nil, err
		}
		pages.in[l] = p
	}
	return &pages, nil
}

func newPlanPage(plans any) (*planPage, error) {
	text, err := json.Marshal(plans)
	if err != nil {
		return nil, fmt.Errorf("encode plans: %w", err)
	}
	p := &planPage{
		plain: []byte(`{"status":true,"message":"Plans.","data":{"subscription_plan":` + string(text) + planPageEnd),
	}
	sum := sha256.Sum256(p.plain)
	p.etag = `W/"` + hex.EncodeToString(sum[:16]) + `"`
	p.header = http.Header{
		"Vary": {"Accept-Encoding, Accept-Language, Cookie"}, "Content-Type": {jsonType}, "Etag": {p.etag}, "Cache-Control": {"no-cache"},
	}
	if p.gzip, err = compress.Gzip(p.plain); err != nil {
		return nil, fmt.Errorf("compress plans: %w", err)
	}
	if p.zstd, err = compress.Zstd(p.plain); err != nil {
		return nil, fmt.Errorf("compress plans: %w", err)
	}
	return p, nil
}

// current returns the page for the current catalogue in the language, rebuilt after a change.
func (h *Plans) current(ctx context.Context, l i18n.Language) (*planPage, error) {
	c, err := h.plans.Current(ctx)
	if err != nil {
		return nil, err
	}
	day := subscription.DayOf(h.subs.Now())
	if p := h.pages.Load(); p != nil && p.catalogue == c && p.day == day {
		return p.in[l.Or()], nil
	}
	p, err := h.newPlanPages(ctx, c, day)
	if err != nil {
		return nil, err
	}
	h.pages.Store(p)
	return p.in[l.Or()], nil
}

// list responds from memory. Only a signed-in user with a message gets an individual response.
func (h *Plans) list(c *gin.Context) error {
	p, err := h.current(c.Request.Context(), languageOf(c))
	if err != nil {
		return err
	}
	if who := middleware.Owner(c); who != "" {
		m, err := h.told.message(c.Request.Context(), who)
		if err != nil {
			return err
		}
		if m.text != "" {
			text, _ := inLanguage(c, m.text, nil)
			return p.answerWith(c, text, m.tone)
		}
	}
	header := c.Writer.Header()
	maps.Copy(header, p.header)
	if strings.Contains(c.GetHeader("If-None-Match"), p.etag) {
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return nil
	}
	body, encoding := p.encoded(c.GetHeader("Accept-Encoding"))
	if encoding != "" {
		header["Content-Encoding"] = []string{encoding}
	}
	c.Status(http.StatusOK)
	_, err = c.Writer.Write(body)
	return err
}

// encoded returns the page in the best accepted encoding, and the encoding's name; "" is no encoding.
func (p *planPage) encoded(accepted string) (body []byte, encoding string) {
	switch {
	case compress.Accepted(accepted, "zstd"):
		return p.zstd, "zstd"
	case compress.Accepted(accepted, "gzip"):
		return p.gzip, "gzip"
	default:
		return p.plain, ""
	}
}

func (p *planPage) answerWith(c *gin.Context, message string, tone subscription.Tone) error {
	told := struct {
		Message string            `json:"subscription_message"`
		Tone    subscription.Tone `json:"subscription_message_tone"`
	}{message, tone}
	text, err := json.Marshal(told)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	maps.Copy(c.Writer.Header(), p.header)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	body := append(bytes.TrimSuffix(bytes.Clone(p.plain), []byte(planPageEnd)), ',')
	_, err = c.Writer.Write(append(append(body, text[1:len(text)-1]...), planPageEnd...))
	return err
}

func (h *Plans) details(c *gin.Context) error {
	planID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	catalogue, err := h.plans.Current(c.Request.Context())
	if err != nil {
		return err
	}
	p, ok := catalogue.Plan(planID)
	if !ok {
		return errs.NotFound()
	}
	a := planOf(p)
	for _, t := range p.Tiers {
		tier, err := h.tierOf(c.Request.Context(), t)
		if err != nil {
			return err
		}
		a.Services = append(a.Services, tier)
	}
	return OK(c, "Plan details.", []planAnswer{a})
}

// addOns takes a tier id; a plan id stands for its first tier.
func (h *Plans) addOns(c *gin.Context) error {
	id, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	catalogue, err := h.plans.Current(c.Request.Context())
	if err != nil {
		return err
	}
	tier, ok := catalogue.Tier(id)
	if !ok {
		p, known := catalogue.Plan(id)
		if !known {
			return errs.NotFound()
		}
		tier = p.Tiers[0]
	}
	return OK(c, "Add-ons.", addOnsOf(tier.AddOns))
}

func (h *Plans) quote(c *gin.Context) error {
	var in planSelection
	if err := Bind(c, &in); err != nil {
		return err
	}
	sel, err := in.selection()
	if err != nil {
		return err
	}
	q, err := h.subs.PublicQuote(c.Request.Context(), sel)
	if err != nil {
		return err
	}
	return OK(c, "Price.", previewOf(q, nil))
}
