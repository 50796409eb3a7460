package transfer_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// collector is a provider of virtual accounts that lists what tests let come in.
type collector struct {
	credits []transfer.Credit
	opened  int
	known   string // the account that was last reopened
	closed  []string
	// unread is why some credits could not be read.
	unread error
}

func (*collector) Name() string { return "fake_collector" }

func (c *collector) Open(_ context.Context, customerID, name, known string) (transfer.Account, error) {
	c.opened++
	c.known = known
	return transfer.Account{ID: "va_" + customerID, Number: "2223330012345678", IFSC: "RATN0VAAPIS", Beneficiary: name}, nil
}

func (c *collector) Credits(_ context.Context, accountID string, since time.Time) ([]transfer.Credit, error) {
	var list []transfer.Credit
	for _, one := range c.credits {
		if one.AccountID == accountID && !one.PaidAt.Before(since) {
			list = append(list, one)
		}
	}
	return list, c.unread
}

func (c *collector) Close(_ context.Context, accountID string) error {
	c.closed = append(c.closed, accountID)
	return nil
}

// office is a story with transfers.
type office struct {
	*story.Story
	service *transfer.Service
	booker  *transfer.Booker
	desk    *transfer.Desk
	virtual *collector
	// meera is a third member of staff, of finance.
	meera staff.Principal
}

func open(t *testing.T, c *collector) *office {
	t.Helper()
	b := story.New(t)
	logger := testkit.NewLogger(t)
	same := func(*app.BillingParts) {}
	api, worker := b.APIWith(same), b.WorkerWith(same)
	config := transfer.Config{
		Account:  transfer.Account{Number: "50200012345678", IFSC: "HDFC0000360", Beneficiary: "Franchise 360"},
		Supplier: invoice.Supplier{Name: "Franchise 360", GSTIN: "27AAPFU0939F1ZV", StateCode: "27"},
	}
	var by transfer.Collector
	if c != nil {
		by = c
	}
	meera, err := member.Add(t.Context(), b.DB.Owner, "meera", staff.RoleFinance, b.Clock.Now())
	require.NoError(t, err)
	apiJobs, workerJobs := testkit.NewInserter(t, b.DB.API), testkit.NewInserter(t, b.DB.Worker)
	return &office{
		Story: b, virtual: c, meera: meera,
		service: transfer.NewService(transfer.Options{
			DB: b.DB.API, Jobs: apiJobs, Clock: b.Clock, Checkout: api.Payments.Checkout, Invoices: api.Invoices,
			Shelf: testkit.NoObjects{}, Config: config, Collector: by,
		}),
		booker: transfer.NewBooker(transfer.BookerOptions{
			DB: b.DB.Worker, Jobs: workerJobs, Clock: b.Clock, Payments: worker.Payments.Transfers, Ledger: worker.Ledger,
			Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: workerJobs, Email: true}), Collector: by, Logger: logger,
		}),
		desk: transfer.NewDesk(b.DB.API, apiJobs, b.Clock, staff.NewRecorder(b.Clock)),
	}
}

// run runs all jobs of transfers.
func (o *office) run() {
	o.T.Helper()
	for {
		var jobs []struct {
			ID   int64           `db:"id"`
			Kind string          `db:"kind"`
			Args json.RawMessage `db:"args"`
		}
		require.NoError(o.T, o.DB.Owner.Select(&jobs, `DELETE FROM river_job WHERE kind IN ('receive_transfer', 'use_transfer', 'collect_transfers', 'sweep_transfers', 'close_account_number')
			RETURNING id, kind, args`))
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			var args struct {
				CreditID  string `json:"credit_id"`
				UseID     string `json:"use_id"`
				AccountID string `json:"account_id"`
			}
			require.NoError(o.T, json.Unmarshal(j.Args, &args))
			var err error
			switch j.Kind {
			case transfer.ReceiveArgs{}.Kind():
				err = o.booker.Receive(o.T.Context(), args.CreditID)
			case transfer.UseArgs{}.Kind():
				err = o.booker.Use(o.T.Context(), args.UseID)
			case transfer.CloseArgs{}.Kind():
				err = o.booker.Close(o.T.Context(), args.AccountID)
			case transfer.CollectArgs{}.Kind():
				err = o.booker.Collect(o.T.Context(), args.AccountID)
			default:
				err = o.booker.Sweep(o.T.Context())
			}
			require.NoError(o.T, err, j.Kind)
		}
	}
}

func (o *office) asks(franchiser string) transfer.Proforma {
	o.T.Helper()
	p, err := o.service.Open(o.T.Context(), franchiser, transfer.Input{
		Request: checkout.Input{Intent: story.Buy(o.Tier(0, 0), plan.TypeYearly)}, PONumber: "PO 4711",
	})
	require.NoError(o.T, err)
	return p
}

// comes lets money come into the operator's account, as staff enter it.
func (o *office) comes(utr string, amount money.Paise) transfer.BankCredit {
	o.T.Helper()
	list, err := o.desk.EnterAll(o.Asha.Sign(o.T.Context()), o.Asha, []statement.Row{{UTR: utr, Amount: amount, PaidAt: o.Clock.Now(), Narration: "NEFT CR"}}, "Statement of today", "")
	require.NoError(o.T, err)
	o.run()
	return list[0]
}

func (o *office) credits() []transfer.BankCredit {
	o.T.Helper()
	list, _, err := o.desk.Credits(o.Asha.Sign(o.T.Context()), transfer.CreditQuery{Limit: 50})
	require.NoError(o.T, err)
	return list
}

func (o *office) state(p transfer.Proforma) string {
	o.T.Helper()
	return o.Text(`SELECT state FROM proformas WHERE id = $1`, p.ID)
}

func (o *office) confirm(c transfer.BankCredit, in transfer.UseInput) {
	o.T.Helper()
	in.CreditID, in.Kind, in.Reason, in.Key = c.ID, transfer.UseOrder, "It is theirs", "key-"+c.ID
	u, err := o.desk.Ask(o.Ravi.Sign(o.T.Context()), o.Ravi, in)
	require.NoError(o.T, err)
	o.run()
	if u.State == transfer.UseWaiting {
		o.approves(o.meera, u)
	}
}

// approves has the member of staff approve a use, and runs the jobs.
func (o *office) approves(by staff.Principal, u transfer.Use) {
	o.T.Helper()
	_, err := o.desk.Decide(by.Sign(o.T.Context()), by, u.ID, true, "As the bank shows")
	require.NoError(o.T, err)
	o.run()
}

// Given a customer's own account, when the exact amount comes in, then the plan is active, fully invoiced and booked once, and no
// settlement is expected.
func TestBook_ExactAmountOnTheCustomersAccount_ActivatesThePlan(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	require.Equal(t, "va_"+o.Buyer, p.Account.ID)
	require.Equal(t, p.ID, o.asks(o.Buyer).ID, "asking again is the same bill")
	require.Equal(t, 1, o.virtual.opened)
	require.Equal(t, "PF/26-27/000001", p.Number)

	o.virtual.credits = []transfer.Credit{{ID: "pay_1", AccountID: "va_" + o.Buyer, UTR: "SBIN R5-2026", Amount: p.Amount, PaidAt: o.Clock.Now()}}
	for range 3 { // told, told again, and swept
		require.NoError(t, o.service.Hint(t.Context(), "va_"+o.Buyer))
		o.run()
		require.NoError(t, o.booker.Sweep(t.Context()))
	}
	require.Equal(t, "paid", o.state(p))
	require.Contains(t, o.Standing(o.Buyer), "active")
	require.Equal(t, "bank paid SBINR52026", o.Text(`SELECT gateway || ' ' || state || ' ' || gateway_payment_id FROM payments`))
	require.Equal(t, p.Amount, money.Paise(o.Count(`SELECT total_paise FROM invoices WHERE kind = 'invoice'`)))
	require.Equal(t, p.Amount, o.Balance("gateway_clearing"), "the collector has it and pays it out")
	require.Zero(t, o.Balance("bank"))
	require.Zero(t, o.Balance("bank_receipts"))
	require.Zero(t, o.Balance("receivable"))
	o.Balanced()
	differences, err := o.Settlements.CompareDay(t.Context(), o.Gateway, o.Today())
	require.NoError(t, err)
	require.Empty(t, differences.Differences)
}

// Given the operator's own account, when the customer tells the number of a transfer that came before or after, then their bill is proposed beside their
// name, and a person confirms it; and a number is booked once.
func TestTellUTR_OnTheOperatorsAccount_IsProposedAndConfirmed(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("HDFCR52026112500001", p.Amount)
	require.Equal(t, match.BasisAmount, o.credits()[0].Proposals[0].Basis)

	_, err := o.service.TellUTR(t.Context(), o.Buyer, p.ID, "hdfcr5 2026112500001")
	require.NoError(t, err)
	o.run()
	require.NoError(t, o.booker.Sweep(t.Context()))
	require.Equal(t, "open", o.state(p), "anybody may tell a number that they saw")
	proposal := o.credits()[0].Proposals[0]
	require.Equal(t, []any{match.BasisUTR, match.FitExact, false}, []any{proposal.Basis, proposal.Fit, proposal.Certain})
	require.NotEmpty(t, proposal.Name, "staff compare the customer with the payer")
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "paid", o.state(p))
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: "HDFCR5/2026112500001", Amount: 100, PaidAt: o.Clock.Now()}}, "Once more", "")
	require.ErrorIs(t, err, transfer.ErrUTRKnown)
	_, err = o.service.TellUTR(t.Context(), o.Buyer, p.ID, "HDFCR52026112500002")
	require.ErrorIs(t, err, transfer.ErrProformaClosed)
	o.Balanced()
}

// Given a transfer less 10 % income tax, then nothing happens before a person confirms it; then the whole is invoiced, and the tax is a claim until Form 168
// and the certificate agree with it.
func TestDeductedTax_IsConfirmedThenTrackedUntilItsCertificate(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(1000) + 50) / 100 * 100
	c := o.comes("ICICR42026112500009", p.Amount-tds)
	require.Equal(t, "open", o.state(p))
	proposal := o.credits()[0].Proposals[0]
	require.Equal(t, match.FitTDS, proposal.Fit)
	require.Equal(t, tds, proposal.TDS)
	require.Equal(t, proposal.Due, proposal.Amount+proposal.TDS)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID, TDS: proposal.TDS, RateBps: proposal.RateBps})
	require.Equal(t, "paid", o.state(p))
	require.Equal(t, p.Amount, money.Paise(o.Count(`SELECT total_paise FROM invoices WHERE kind = 'invoice'`)), "the invoice is for the full value")
	require.Equal(t, tds, o.Balance("tds_receivable"))
	require.Equal(t, p.Amount-tds, o.Balance("bank"))
	o.Balanced()

	signed := o.Asha.Sign(t.Context())
	list, total, sum, err := o.desk.Deducted(signed, transfer.TDSQuery{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, tds, sum)
	require.Equal(t, "1027", list[0].Code)
	require.Equal(t, "2026-27", list[0].TaxYear)
	less := tds - 100
	step := func(change transfer.TDSChange) error {
		change.Reason, change.TAN = "As the portal shows", "MUMA12345B"
		_, err := o.desk.ChangeTDS(signed, o.Asha, list[0].ID, change)
		return err
	}
	require.Error(t, step(transfer.TDSChange{State: transfer.TDSMatched, Shown: &tds, Certificate: "C1"}), "not from claimed")
	require.NoError(t, step(transfer.TDSChange{State: transfer.TDSInForm168, Shown: &less}))
	require.NoError(t, step(transfer.TDSChange{State: transfer.TDSCertificate, Shown: &less, Certificate: "C1"}))
	require.ErrorIs(t, step(transfer.TDSChange{State: transfer.TDSMatched, Shown: &less, Certificate: "C1"}), transfer.ErrNotMatched)
	require.NoError(t, step(transfer.TDSChange{State: transfer.TDSMatched, Shown: &tds, Certificate: "C1"}))
	o.Clock.Advance(200 * story.Day)
	require.Equal(t, 6, o.Count(`SELECT count(*) FROM staff_actions WHERE action IN ('change_tds', 'approve_bank_order', 'ask_bank_order', 'enter_bank_credit')`))
}

// Given two transfers that are parts of a bill, then the second one activates it, and the customer can use or get back the excess.
func TestParts_CompleteAProformaAndTheExcessCanBeReturned(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	first := o.comes("AXISN42026112500001", p.Amount/2)
	o.confirm(first, transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "open", o.state(p))
	found, err := o.service.Find(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, p.Amount/2, found.Received)
	o.Balanced()

	second := o.comes("AXISN42026112500002", p.Amount-p.Amount/2+5_000_00)
	o.confirm(second, transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "paid", o.state(p))
	require.Equal(t, "AXISN42026112500001, AXISN42026112500002", o.Text(`SELECT receipt ->> 'gateway_id' FROM invoices WHERE kind = 'invoice'`))
	require.Equal(t, money.Paise(-5_000_00), o.Balance("bank_receipts"), "owed to who paid it")
	o.Balanced()

	back := transfer.UseInput{CreditID: second.ID, Kind: transfer.UseReturn, UTR: "OURN42026112500001", Reason: "Paid too much", Key: "return-key"}
	u, err := o.desk.Ask(o.Asha.Sign(t.Context()), o.Asha, back)
	require.NoError(t, err)
	require.Equal(t, money.Paise(5_000_00), u.Amount)
	o.run()
	require.Equal(t, "waiting", o.Text(`SELECT state FROM bank_credit_uses WHERE id = $1`, u.ID))
	_, err = o.desk.Decide(o.Asha.Sign(t.Context()), o.Asha, u.ID, true, "Fine")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "Fine")
	require.NoError(t, err)
	o.run()
	require.Zero(t, o.Balance("bank_receipts"))
	require.Equal(t, p.Amount, o.Balance("bank"))
	o.Balanced()
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: "OURN42026112500001", Amount: 100, PaidAt: o.Clock.Now()}}, "Ours", "")
	require.ErrorIs(t, err, transfer.ErrUTRKnown, "what went out does not come in")
}

// Given a credit that staff entered by hand, then a colleague decides what it pays, and the customer gets a message about a booked part.
func TestUse_ByThePersonWhoEnteredTheCredit_NeedsAColleague(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500007", p.Amount/2)
	in := transfer.UseInput{CreditID: c.ID, Kind: transfer.UseOrder, ProformaID: p.ID, Reason: "It is theirs", Key: "assign-01"}
	u, err := o.desk.Ask(o.Asha.Sign(t.Context()), o.Asha, in)
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	again, err := o.desk.Ask(o.Asha.Sign(t.Context()), o.Asha, in)
	require.NoError(t, err)
	require.Equal(t, u.ID, again.ID, "the same key is the same request")
	o.run()
	require.Zero(t, o.Count(`SELECT count(*) FROM bank_credits WHERE used_paise > 0`))
	_, err = o.desk.Decide(o.Asha.Sign(t.Context()), o.Asha, u.ID, true, "It is fine")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "Seen in the statement")
	require.NoError(t, err)
	o.run()
	found, err := o.service.Find(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, p.Amount/2, found.Received)
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM customer_messages WHERE template = 'transfer_part_email'`))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM staff_actions WHERE action = 'approve_bank_order'`))
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, false, "Once more")
	require.ErrorIs(t, err, approval.ErrDecided)
	o.Balanced()
}

// Given a rate for which the law has no code, or a total below the operator's minimum, then it is refused.
func TestProforma_UnknownRateOrSmallTotal_IsRefused(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500008", p.Amount-100_00)
	_, err := o.desk.Ask(o.Ravi.Sign(t.Context()), o.Ravi, transfer.UseInput{
		CreditID: c.ID, Kind: transfer.UseOrder, ProformaID: p.ID, TDS: 100_00, RateBps: 317, Reason: "It is theirs", Key: "assign-02",
	})
	require.ErrorContains(t, err, "1%, 2% or 10%")
	small := transfer.NewService(transfer.Options{
		DB: o.DB.API, Jobs: testkit.NewInserter(t, o.DB.API), Clock: o.Clock, Checkout: o.API.Checkout,
		Invoices: o.APIWith(func(*app.BillingParts) {}).Invoices, Shelf: testkit.NoObjects{},
		Config: transfer.Config{Account: p.Account, Minimum: p.Amount + 1},
	})
	_, err = small.Open(t.Context(), o.Buyer, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 0), plan.TypeYearly)}})
	require.ErrorIs(t, err, transfer.ErrBelowMinimum)
}

// Given two workers that book the same credit, and two that find it in the collector's list, then it is stored once and booked once.
func TestBook_ConcurrentWorkersAndWebhooks_BookOnce(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.virtual.credits = []transfer.Credit{{ID: "pay_1", AccountID: "va_" + o.Buyer, UTR: "SBINR52026112500003", Amount: p.Amount, PaidAt: o.Clock.Now()}}
	at := func(do func() error) {
		errs := make(chan error, 2)
		for range 2 {
			go func() { errs <- do() }()
		}
		require.NoError(t, <-errs)
		require.NoError(t, <-errs)
	}
	at(func() error { return o.booker.Collect(t.Context(), "va_"+o.Buyer) })
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM bank_credits`))
	credit := o.Text(`SELECT id FROM bank_credits`)
	at(func() error { return o.booker.Receive(t.Context(), credit) })
	o.run()
	require.Equal(t, "paid", o.state(p))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM payments`))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
	o.Balanced()
}

// Given a bill that is paid online first, then its proforma ends, and money that comes for it pays nothing without staff.
func TestBook_ProformaPaidOnline_PaysNothing(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	o.virtual.credits = []transfer.Credit{{ID: "pay_1", AccountID: "va_" + o.Buyer, UTR: "SBINR52026112500001", Amount: p.Amount, PaidAt: o.Clock.Now()}}
	require.NoError(t, o.booker.Sweep(t.Context()))
	o.run()
	require.Equal(t, "cancelled", o.state(p))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
	c := o.credits()[0]
	require.Equal(t, transfer.CreditOpen, c.State)
	require.Empty(t, c.Proposals)
	require.NotEmpty(t, c.Name, "staff see whose it is")
	require.Equal(t, -p.Amount, o.Balance("bank_receipts"))
	o.Balanced()

	u, err := o.desk.Ask(o.Asha.Sign(t.Context()), o.Asha, transfer.UseInput{CreditID: c.ID, Kind: transfer.UseDismissal, Reason: "Booked elsewhere", Key: "dismiss-1"})
	require.NoError(t, err)
	o.run()
	require.Equal(t, "waiting", o.Text(`SELECT state FROM bank_credit_uses WHERE id = $1`, u.ID))
	o.approves(o.Ravi, u)
	require.Equal(t, "done", o.Text(`SELECT state FROM bank_credit_uses WHERE id = $1`, u.ID))
	require.Zero(t, o.Balance("bank"))
	o.Balanced()
}

// Given an expired bill, then it is not paid without staff, but staff may confirm it; a payment begun online ends with it.
func TestBook_ExpiredProforma_NeedsConfirmation(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.Ask(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	o.Pass(16 * story.Day)
	require.NoError(t, o.booker.Sweep(t.Context()))
	require.Equal(t, "expired", o.state(p))
	o.virtual.credits = []transfer.Credit{{ID: "pay_1", AccountID: "va_" + o.Buyer, UTR: "SBINR52026112500001", Amount: p.Amount, PaidAt: o.Clock.Now()}}
	require.NoError(t, o.service.Hint(t.Context(), "va_"+o.Buyer))
	o.run()
	require.Equal(t, "expired", o.state(p))
	o.confirm(o.credits()[0], transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "paid", o.state(p))
	o.Balanced()
}

// Given a proforma that names its last day, then it is open until that day ends in India, whatever its hour of creation.
func TestProforma_OnItsLastDay_IsOpenUntilMidnight(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	last := subscription.DayOf(o.Clock.Now()) + 15
	require.Equal(t, last, subscription.DayOf(p.ValidUntil))
	require.Equal(t, time.UTC, p.ValidUntil.Location())
	o.Pass((last + 1).Start().Add(-time.Minute).Sub(o.Clock.Now()))
	require.NoError(t, o.booker.Sweep(t.Context()))
	require.Equal(t, "open", o.state(p))
	o.Pass(time.Minute)
	require.NoError(t, o.booker.Sweep(t.Context()))
	require.Equal(t, "expired", o.state(p))
}

// Given no account and no collector, then nothing is offered.
func TestTransfers_WithoutAnAccount_AreNotOffered(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	none := transfer.NewService(transfer.Options{
		DB: o.DB.API, Jobs: testkit.NewInserter(t, o.DB.API), Clock: o.Clock, Checkout: o.API.Checkout,
		Invoices: o.APIWith(func(*app.BillingParts) {}).Invoices, Shelf: testkit.NoObjects{}, Config: transfer.Config{},
	})
	require.False(t, none.Offered())
	_, err := none.Open(t.Context(), o.Buyer, transfer.Input{})
	require.ErrorIs(t, err, transfer.ErrNotOffered)
}
