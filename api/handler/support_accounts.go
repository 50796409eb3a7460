package handler

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// BookReports sums the books; ledger.Reports implements it.
type BookReports interface {
	At(ctx context.Context, day subscription.Day) ([]ledger.Balance, error)
	ProfitAndLoss(ctx context.Context, first, last subscription.Day) (ledger.ProfitAndLoss, error)
	Statement(ctx context.Context, franchiserID string, first, last subscription.Day) (ledger.Statement, error)
	TakeStatement(ctx context.Context, p staff.Principal, franchiserID string, first, last subscription.Day) (ledger.Statement, error)
}

// StatementPrinter prints statements of account; bookexport.Printer implements it.
type StatementPrinter interface {
	Print(ctx context.Context, p staff.Principal, franchiserID string, first, last subscription.Day) ([]byte, error)
}

// RevenueReports shows deferred revenue; revenue.Reports implements it.
type RevenueReports interface {
	Deferred(ctx context.Context) (revenue.Deferred, error)
	OfCustomer(ctx context.Context, franchiserID string) ([]revenue.Scheduled, subscription.Day, error)
}

// SupportAccounts handles staff calls on the accounts: deferred revenue, trial balance, profit and loss, and a customer's account.
type SupportAccounts struct {
	books   BookReports
	printer StatementPrinter
	revenue RevenueReports
	people  Reader
	clock   clock.Clock
}

// NewSupportAccounts returns the handlers backed by the reports.
func NewSupportAccounts(books BookReports, printer StatementPrinter, deferred RevenueReports, people Reader, clk clock.Clock) *SupportAccounts {
	return &SupportAccounts{books: books, printer: printer, revenue: deferred, people: people, clock: clk}
}

// RegisterSupportAccounts adds the routes to the engine, all behind before and require.
func RegisterSupportAccounts(e *gin.Engine, h *SupportAccounts, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/books/deferred-revenue", Handle(h.deferred))
	private.GET("/books/trial-balance", Handle(h.trialBalance))
	private.GET("/books/profit-and-loss", Handle(h.profitAndLoss))
	private.GET("/customers/:id/account", Handle(h.account))
	private.GET("/customers/:id/account/file", Handle(h.accountFile))
}

type deferredMonthView struct {
	Month      string      `json:"month"`
	Opening    money.Paise `json:"opening_paise"`
	Billed     money.Paise `json:"billed_paise"`
	Recognised money.Paise `json:"recognised_paise"`
	Credited   money.Paise `json:"credited_paise"`
	Closing    money.Paise `json:"closing_paise"`
	Ledger     money.Paise `json:"ledger_paise"`
	Differs    bool        `json:"differs"`
}

type aheadView struct {
	Month  string      `json:"month"`
	Amount money.Paise `json:"amount_paise"`
}

type deferredView struct {
	Through   *subscription.Day   `json:"through"`
	Months    []deferredMonthView `json:"months"`
	Waterfall []aheadView         `json:"waterfall"`
	Later     money.Paise         `json:"later_paise"`
}

// monthText writes the month that begins on the day as YYYY-MM.
func monthText(day subscription.Day) string { return day.String()[:len("2026-11")] }

func (h *SupportAccounts) deferred(c *gin.Context) error {
	takeTime(c)
	d, err := h.revenue.Deferred(c.Request.Context())
	if err != nil {
		return err
	}
	v := deferredView{Through: dayOrNone(d.Through), Months: []deferredMonthView{}, Waterfall: []aheadView{}, Later: d.Later}
	for _, m := range d.Months {
		v.Months = append(v.Months, deferredMonthView{
			monthText(m.Month), m.Opening, m.Billed, m.Recognised, m.Credited, m.Closing, m.Ledger, m.Differs(),
		})
	}
	for _, a := range d.Waterfall {
		v.Waterfall = append(v.Waterfall, aheadView{monthText(a.Month), a.Amount})
	}
	return OK(c, "", v)
}

type balanceView struct {
	Account ledger.Account `json:"account"`
	Name    string         `json:"name"`
	Type    string         `json:"type"`
	Debit   money.Paise    `json:"debit_paise"`
	Credit  money.Paise    `json:"credit_paise"`
}

type trialBalanceView struct {
	On       subscription.Day `json:"on"`
	Accounts []balanceView    `json:"accounts"`
	Debit    money.Paise      `json:"debit_paise"`
	Credit   money.Paise      `json:"credit_paise"`
}

// day reads a day of the query; otherwise is the default. It refuses a future day: the ledger has no entries for it.
func (h *SupportAccounts) day(c *gin.Context, name string, otherwise subscription.Day) (subscription.Day, error) {
	raw := c.Query(name)
	if raw == "" {
		return otherwise, nil
	}
	at, err := time.Parse(time.DateOnly, raw)
	day := subscription.NewDay(at.Date())
	if err != nil || at.Year() < 2000 || day > subscription.DayOf(h.clock.Now()) {
		return 0, errs.Invalid("Please check the marked fields.").Field(name, "Choose a day up to today.")
	}
	return day, nil
}

// trialBalance shows each account's debit or credit balance at the end of a day.
func (h *SupportAccounts) trialBalance(c *gin.Context) error {
	on, err := h.day(c, "on", subscription.DayOf(h.clock.Now()))
	if err != nil {
		return err
	}
	takeTime(c)
	balances, err := h.books.At(c.Request.Context(), on)
	if err != nil {
		return err
	}
	v := trialBalanceView{On: on, Accounts: []balanceView{}}
	for _, b := range balances {
		one := balanceView{Account: b.Account, Name: b.Name, Type: b.Type, Debit: max(b.Debit-b.Credit, 0), Credit: max(b.Credit-b.Debit, 0)}
		v.Accounts = append(v.Accounts, one)
		v.Debit, v.Credit = v.Debit+one.Debit, v.Credit+one.Credit
	}
	return OK(c, "", v)
}

type resultView struct {
	Account ledger.Account `json:"account"`
	Name    string         `json:"name"`
	Type    string         `json:"type"`
	Months  []money.Paise  `json:"months_paise"`
}

type profitAndLossView struct {
	Months    []string        `json:"months"`
	Rows      []resultView    `json:"rows"`
	Income    []money.Paise   `json:"income_paise"`
	Expenses  []money.Paise   `json:"expenses_paise"`
	Result    []money.Paise   `json:"result_paise"`
	Unsettled []unsettledView `json:"unsettled"`
}

// unsettledView is the amount that gateways had not settled at the end of a month, with an estimate of the fees, or none without a known
// rate.
type unsettledView struct {
	Captured money.Paise  `json:"captured_paise"`
	Fees     *money.Paise `json:"fees_estimate_paise"`
}

// maxMonths is how many months a statement of profit and loss has at most.
const maxMonths = 12

// month reads a month of the query as its first day; otherwise is the default.
func (h *SupportAccounts) month(c *gin.Context, name string, otherwise subscription.Day) (subscription.Day, error) {
	raw := c.Query(name)
	if raw == "" {
		return otherwise, nil
	}
	m, ok := gstreturn.ParseMonth(raw)
	first := subscription.NewDay(m.Year, m.Month, 1)
	if !ok || first > subscription.DayOf(h.clock.Now()) {
		return 0, errs.Invalid("Please check the marked fields.").Field(name, "Choose a month up to the current one.")
	}
	return first, nil
}

func (h *SupportAccounts) profitAndLoss(c *gin.Context) error {
	today := subscription.DayOf(h.clock.Now())
	last, err := h.month(c, "to", today.AddMonths(0, 1))
	if err != nil {
		return err
	}
	first, err := h.month(c, "from", last.AddMonths(-2, 1))
	if err != nil {
		return err
	}
	if first > last || first.AddMonths(maxMonths, 1) <= last {
		return errs.Invalid("Please check the marked fields.").Field("from", "Choose a month before the last one, at most twelve in all.")
	}
	takeTime(c)
	p, err := h.books.ProfitAndLoss(c.Request.Context(), first, last)
	if err != nil {
		return err
	}
	v := profitAndLossView{Months: []string{}, Rows: []resultView{}, Income: p.Income, Expenses: p.Expenses, Result: p.Result}
	for _, m := range p.Months {
		v.Months = append(v.Months, monthText(m))
	}
	for _, r := range p.Rows {
		v.Rows = append(v.Rows, resultView(r))
	}
	for _, u := range p.Unsettled {
		v.Unsettled = append(v.Unsettled, unsettledView(u))
	}
	return OK(c, "", v)
}

type statementLineView struct {
	At          time.Time   `json:"at"`
	Kind        ledger.Kind `json:"kind"`
	Description string      `json:"description"`
	Charge      money.Paise `json:"charge_paise"`
	Credit      money.Paise `json:"credit_paise"`
	Balance     money.Paise `json:"balance_paise"`
}

type scheduledView struct {
	InvoiceID   string           `json:"invoice_id"`
	Number      string           `json:"number"`
	Position    int              `json:"position"`
	Description string           `json:"description"`
	From        subscription.Day `json:"from"`
	Until       subscription.Day `json:"until"`
	Amount      money.Paise      `json:"amount_paise"`
	Earned      money.Paise      `json:"earned_paise"`
	Credited    money.Paise      `json:"credited_paise"`
	Unearned    money.Paise      `json:"unearned_paise"`
}

type customerAccountView struct {
	From     subscription.Day    `json:"from"`
	To       subscription.Day    `json:"to"`
	Opening  money.Paise         `json:"opening_paise"`
	Closing  money.Paise         `json:"closing_paise"`
	Lines    []statementLineView `json:"lines"`
	Through  *subscription.Day   `json:"through"`
	Schedule []scheduledView     `json:"schedule"`
}

// period reads the days of a statement; without them it is the last twelve months.
func (h *SupportAccounts) period(c *gin.Context) (first, last subscription.Day, err error) {
	if last, err = h.day(c, "to", subscription.DayOf(h.clock.Now())); err != nil {
		return 0, 0, err
	}
	if first, err = h.day(c, "from", last.AddMonths(-12, last.DayOfMonth())); err != nil {
		return 0, 0, err
	}
	if first > last {
		return 0, 0, errs.Invalid("Please check the marked fields.").Field("from", "Choose a day before the last one.")
	}
	return first, last, nil
}

// account shows a customer's debts and claims, entry by entry, and how the lines of its invoices are earned.
func (h *SupportAccounts) account(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	first, last, err := h.period(c)
	if err != nil {
		return err
	}
	s, err := h.books.Statement(c.Request.Context(), franchiserID, first, last)
	if err != nil {
		return err
	}
	schedule, through, err := h.revenue.OfCustomer(c.Request.Context(), franchiserID)
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadAccount(franchiserID)); err != nil {
		return err
	}
	v := customerAccountView{
		From: first, To: last, Opening: s.Opening, Closing: s.Closing, Lines: []statementLineView{}, Through: dayOrNone(through),
		Schedule: []scheduledView{},
	}
	for _, l := range s.Lines {
		v.Lines = append(v.Lines, statementLineView{l.At, l.Kind, l.Description, l.Charge, l.Credit, l.Balance})
	}
	for _, l := range schedule {
		v.Schedule = append(v.Schedule, scheduledView{
			l.InvoiceID, l.Number, l.Position, l.Description, l.From, max(l.To-1, l.From), l.Amount, l.Earned(), l.Credited, l.Unearned,
		})
	}
	return OK(c, "", v)
}

// accountFile hands out a customer's statement as CSV or PDF; each download is recorded.
func (h *SupportAccounts) accountFile(c *gin.Context) error {
	p := middleware.Staff(c)
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	first, last, err := h.period(c)
	if err != nil {
		return err
	}
	name := `attachment; filename="statement-` + first.String() + `-` + last.String()
	c.Header("Cache-Control", "no-store")
	switch format := c.Query("format"); format {
	case "", "csv":
	case "pdf":
		raw, err := h.printer.Print(c.Request.Context(), p, franchiserID, first, last)
		if err != nil {
			return err
		}
		c.Header("Content-Disposition", name+`.pdf"`)
		c.Data(http.StatusOK, "application/pdf", raw)
		return nil
	default:
		return errs.Invalid("Please check the marked fields.").Field("format", "Choose csv or pdf.")
	}
	s, err := h.books.TakeStatement(c.Request.Context(), p, franchiserID, first, last)
	if err != nil {
		return err
	}
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Header("Content-Disposition", name+`.csv"`)
	w := text.NewSheet(c.Writer)
	_ = w.Write([]string{"Date", "Entry", "Charge", "Credit", "Balance"}) // w keeps its first error: a client that disconnected
	_ = w.Write([]string{first.String(), "Opening balance", "", "", s.Opening.Decimal()})
	for _, l := range s.Lines {
		_ = w.Write([]string{
			subscription.DayOf(l.At).String(), text.Cell(l.Description), l.Charge.Decimal(), l.Credit.Decimal(), l.Balance.Decimal(),
		})
	}
	_ = w.Write([]string{last.String(), "Closing balance", "", "", s.Closing.Decimal()})
	w.Flush()
	return nil
}
