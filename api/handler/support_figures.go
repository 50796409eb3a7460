package handler

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// FigureReports shows the kept figures; figures.Reports implements it.
type FigureReports interface {
	Show(ctx context.Context, q figures.Query) (figures.Shown, error)
}

// SupportFigures handles staff calls on the figures of the business.
type SupportFigures struct {
	figures FigureReports
	clock   clock.Clock
}

// NewSupportFigures returns the handlers backed by the reports.
func NewSupportFigures(reports FigureReports, clk clock.Clock) *SupportFigures {
	return &SupportFigures{figures: reports, clock: clk}
}

// RegisterSupportFigures adds the routes to the engine, all behind before and require.
func RegisterSupportFigures(e *gin.Engine, h *SupportFigures, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/figures", Handle(h.show))
	private.GET("/figures/:figure/file", Handle(h.file))
}

type recurringView struct {
	Month        string       `json:"month"`
	Opening      money.Paise  `json:"opening_paise"`
	New          money.Paise  `json:"new_paise"`
	Expansion    money.Paise  `json:"expansion_paise"`
	Reactivation money.Paise  `json:"reactivation_paise"`
	MovedIn      money.Paise  `json:"moved_in_paise"`
	Contraction  money.Paise  `json:"contraction_paise"`
	Churn        money.Paise  `json:"churn_paise"`
	MovedOut     money.Paise  `json:"moved_out_paise"`
	Closing      money.Paise  `json:"closing_paise"`
	Opened       int64        `json:"opening_customers"`
	Began        int64        `json:"new_customers"`
	Reactivated  int64        `json:"reactivated_customers"`
	CameIn       int64        `json:"moved_in_customers"`
	Churned      int64        `json:"churned_customers"`
	WentOut      int64        `json:"moved_out_customers"`
	Closed       int64        `json:"closing_customers"`
	CustomerRate figures.Bps  `json:"customer_churn_bps"`
	GrossRate    figures.Bps  `json:"gross_churn_bps"`
	NetRate      figures.Bps  `json:"net_churn_bps"`
	Average      *money.Paise `json:"arpa_paise"`
}

type trialsView struct {
	Month     string      `json:"month"`
	Started   int64       `json:"started"`
	Converted int64       `json:"converted"`
	Undecided int64       `json:"undecided"`
	Rate      figures.Bps `json:"conversion_bps"`
}

type cohortView struct {
	Cohort    string      `json:"cohort"`
	After     int         `json:"after"`
	Started   int64       `json:"started"`
	Customers int64       `json:"customers"`
	MRR       money.Paise `json:"mrr_paise"`
}

type failuresView struct {
	Month           string      `json:"month"`
	ByMandate       bool        `json:"by_mandate"`
	Failed          int64       `json:"failed"`
	Recovered       int64       `json:"recovered"`
	Undecided       int64       `json:"undecided"`
	FailedAmount    money.Paise `json:"failed_paise"`
	RecoveredAmount money.Paise `json:"recovered_paise"`
	Rate            figures.Bps `json:"recovery_bps"`
}

type codesView struct {
	Month     string      `json:"month"`
	Purpose   string      `json:"purpose"`
	Provider  string      `json:"provider"`
	Asked     int64       `json:"asked"`
	Sent      int64       `json:"sent"`
	Delivered int64       `json:"delivered"`
	Failed    int64       `json:"failed"`
	Used      int64       `json:"used"`
	Delivery  figures.Bps `json:"delivery_bps"`
	Usage     figures.Bps `json:"usage_bps"`
}

type definitionView struct {
	Figure figures.Figure `json:"figure"`
	Title  string         `json:"title"`
	Text   string         `json:"text"`
}

type choiceView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type figuresView struct {
	AsOf        *subscription.Day `json:"as_of"`
	Counted     *time.Time        `json:"counted_at"`
	Differs     int               `json:"differences"`
	From        string            `json:"from"`
	To          string            `json:"to"`
	Plans       []choiceView      `json:"plans"`
	States      []choiceView      `json:"states"`
	Definitions []definitionView  `json:"definitions"`
	Recurring   []recurringView   `json:"recurring"`
	Trials      []trialsView      `json:"trials"`
	Cohorts     []cohortView      `json:"cohorts"`
	Failures    []failuresView    `json:"failures"`
	Codes       []codesView       `json:"codes"`
}

// shownMonths is the default number of months.
const shownMonths = 12

// query reads the months, the plan and the State; without months it is the last twelve.
func (h *SupportFigures) query(c *gin.Context) (q figures.Query, err error) {
	today := subscription.DayOf(h.clock.Now())
	month := func(name string, otherwise subscription.Day) (subscription.Day, bool) {
		if c.Query(name) == "" {
			return otherwise, true
		}
		m, ok := gstreturn.ParseMonth(c.Query(name))
		first := subscription.NewDay(m.Year, m.Month, 1)
		return first, ok && first <= today
	}
	var v errs.Validation
	var ok bool
	q.To, ok = month("to", today.AddMonths(0, 1))
	v.Check(ok, "to", "Choose a month up to the current one.")
	q.From, ok = month("from", q.To.AddMonths(1-shownMonths, 1))
	v.Check(ok && q.From <= q.To && q.From.AddMonths(figures.MaxMonths, 1) > q.To, "from",
		"Choose a month up to the last one, at most "+strconv.Itoa(figures.MaxMonths)+" in all.")
	q.PlanID, q.StateCode = c.Query("plan"), c.Query("state")
	v.Check(q.PlanID == "" || id.Valid(q.PlanID), "plan", "There is no such plan.")
	v.Check(q.StateCode == "" || invoice.StateCode(q.StateCode).Name() != "", "state", "There is no such State.")
	return q, v.Err()
}

func (h *SupportFigures) show(c *gin.Context) error {
	q, err := h.query(c)
	if err != nil {
		return err
	}
	takeTime(c)
	s, err := h.figures.Show(c.Request.Context(), q)
	if err != nil {
		return err
	}
	v := viewOf(s)
	v.From, v.To = monthText(q.From), monthText(q.To)
	return OK(c, "", v)
}

func viewOf(s figures.Shown) figuresView {
	v := figuresView{
		AsOf: dayOrNone(s.AsOf), Differs: s.Differs, Plans: []choiceView{}, States: []choiceView{}, Definitions: []definitionView{},
		Recurring: []recurringView{}, Trials: []trialsView{}, Cohorts: []cohortView{}, Failures: []failuresView{}, Codes: []codesView{},
	}
	if s.AsOf != 0 {
		at := s.Counted.UTC()
		v.Counted = &at
	}
	for _, p := range s.Plans {
		v.Plans = append(v.Plans, choiceView(p))
	}
	for _, code := range s.States {
		v.States = append(v.States, choiceView{code, invoice.StateCode(code).Name()})
	}
	for _, d := range figures.Definitions() {
		v.Definitions = append(v.Definitions, definitionView(d))
	}
	for _, m := range s.Months {
		n := m.Customers
		v.Recurring = append(v.Recurring, recurringView{
			monthText(m.Month), m.Opening, m.New, m.Expansion, m.Reactivation, m.MovedIn, m.Contraction, m.Churn, m.MovedOut, m.Closing,
			n.Opening, n.New, n.Reactivated, n.MovedIn, n.Churned, n.MovedOut, n.Closing,
			m.CustomerChurn(), m.GrossChurn(), m.NetChurn(), m.PerCustomer(),
		})
	}
	for _, t := range s.Trials {
		v.Trials = append(v.Trials, trialsView{monthText(t.Month), t.Started, t.Converted, t.Undecided, t.Conversion()})
	}
	for _, o := range s.Cohorts {
		v.Cohorts = append(v.Cohorts, cohortView{monthText(o.Cohort), o.After, o.Started, o.Customers, o.MRR})
	}
	for _, f := range s.Failures {
		v.Failures = append(v.Failures, failuresView{
			monthText(f.Month), f.ByMandate, f.Failed, f.Recovered, f.Undecided, f.FailedAmount, f.RecoveredAmount, f.Recovery(),
		})
	}
	for _, o := range s.Codes {
		v.Codes = append(v.Codes, codesView{
			monthText(o.Month), o.Purpose, o.Provider, o.Asked, o.Sent, o.Delivered, o.Failed, o.Used, o.Delivery(), o.Usage(),
		})
	}
	return v
}

// file hands out one figure as CSV.
func (h *SupportFigures) file(c *gin.Context) error {
	figure := figures.Figure(c.Param("figure"))
	if !slices.ContainsFunc(figures.Definitions(), func(d figures.Definition) bool { return d.Figure == figure }) {
		return errs.NotFound()
	}
	q, err := h.query(c)
	if err != nil {
		return err
	}
	takeTime(c)
	s, err := h.figures.Show(c.Request.Context(), q)
	if err != nil {
		return err
	}
	w := beginCSV(c, string(figure)+"-"+monthText(q.From)+"-"+monthText(q.To)+".csv")
	for _, row := range figures.Rows(figure, s) {
		writeCells(w, row)
	}
	w.Flush()
	return nil
}
