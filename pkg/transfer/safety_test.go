package transfer_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// try requests a use of a credit by the member of staff, and runs the jobs.
func (o *office) try(by staff.Principal, c transfer.BankCredit, in transfer.UseInput) (transfer.Use, error) {
	o.T.Helper()
	in.CreditID, in.Reason = c.ID, "As the bank shows"
	if in.Kind == "" {
		in.Kind = transfer.UseOrder
	}
	u, err := o.desk.Ask(by.Sign(o.T.Context()), by, in)
	o.run()
	return u, err
}

// collected lets money come into a customer's own account, unheard, and sweeps.
func (o *office) collected(franchiser, utr string, amount money.Paise) {
	o.T.Helper()
	o.virtual.credits = append(o.virtual.credits, transfer.Credit{
		ID: "pay_" + utr, AccountID: "va_" + franchiser, UTR: utr, Amount: amount, PaidAt: o.Clock.Now(), PayerName: "ASHA SWEETS",
	})
	o.sweeps()
}

func (o *office) sweeps() {
	o.T.Helper()
	require.NoError(o.T, o.booker.Sweep(o.T.Context()))
	o.run()
}

// Given a customer who tells a number in advance, when one member of staff enters a credit of that number, then nothing is bought before a colleague has
// seen the money too.
func TestUse_EnteredByOnePerson_WaitsForAColleague(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	_, err := o.service.TellUTR(t.Context(), o.Buyer, p.ID, "MADEUP000001")
	require.NoError(t, err)
	c := o.comes("MADEUP000001", p.Amount)
	o.sweeps()
	require.Equal(t, "open", o.state(p))
	u, err := o.try(o.Asha, c, transfer.UseInput{ProformaID: p.ID, Key: "own-credit"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	_, err = o.desk.Decide(o.Asha.Sign(t.Context()), o.Asha, u.ID, true, "It is fine")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	require.Equal(t, "open", o.state(p))
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "Seen in the statement")
	require.NoError(t, err)
	o.run()
	require.Equal(t, "paid", o.state(p))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM staff_actions WHERE action = 'approve_bank_order'`))
	o.Balanced()
}

// Given a transfer of one customer, when another customer gives its UTR, then it pays neither bill without staff. A customer can give a UTR
// five times per bill.
func TestTellUTR_OfAnotherCustomersTransfer_NeedsConfirmation(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	mine, theirs := o.asks(o.Buyer), o.asks(o.Franchiser("29"))
	require.Equal(t, mine.Amount, theirs.Amount)
	o.comes("HDFCR52026112500777", theirs.Amount)
	tell := func(utr string) error {
		_, err := o.service.TellUTR(t.Context(), o.Buyer, mine.ID, utr)
		return err
	}
	require.NoError(t, tell("HDFCR52026112500777"))
	require.NoError(t, tell("HDFCR52026112500777"), "the same number is not a further one")
	o.sweeps()
	require.Equal(t, "open", o.state(mine))
	require.Zero(t, o.Count(`SELECT count(*) FROM bank_credit_uses`))
	for i := range 4 {
		require.NoError(t, tell(fmt.Sprint("GUESSED0000", i)))
	}
	require.ErrorIs(t, tell("GUESSED00009"), transfer.ErrToldTooOften)
}

// Given a part of a bill whose order was replaced and paid, then the part is free and in the work list. A part of an unpaid bill can be
// returned like any other money.
func TestPart_OrderReplacedAndPaid_IsFree(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500001", p.Amount/2)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, p.Amount/2, o.credits()[0].Returnable())
	back := transfer.UseInput{Kind: transfer.UseReturn, UTR: "OURN42026112500091", Key: "back-0001"}
	u, err := o.try(o.Asha, c, back)
	require.NoError(t, err)
	require.Equal(t, []any{transfer.UseWaiting, p.Amount / 2}, []any{u.State, u.Amount})
	_, err = o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "The customer gave up")
	require.NoError(t, err)
	o.run()
	require.Zero(t, o.Balance("bank_receipts"))
	require.Equal(t, "order released, return done", o.Text(`SELECT string_agg(kind || ' ' || state, ', ' ORDER BY kind) FROM bank_credit_uses`))
	o.Balanced()

	c = o.comes("AXISN42026112500002", p.Amount/2)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	o.sweeps()
	require.Equal(t, "used", o.Text(`SELECT state FROM bank_credits WHERE id = $1`, c.ID))
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeMonthly)) // another order, which replaces it
	o.sweeps()
	require.Equal(t, "cancelled", o.state(p))
	require.Equal(t, "open", o.Text(`SELECT state FROM bank_credits WHERE id = $1`, c.ID))
	require.NoError(t, postgres.InTx(t.Context(), o.DB.Worker, func(tx *sqlx.Tx) error {
		rows, _, err := transfer.WorkSources()[0].Read(t.Context(), tx, o.Clock.Now(), 10)
		require.Len(t, rows, 1)
		require.Contains(t, rows[0].Wrong, "replaced")
		return err
	}))
	o.Balanced()
}

// Given thousands of proformas of others, then a told number and an amount still find theirs; and a customer has five open ones at most.
func TestMatch_ThousandsOfProformas_FindsTheRightOne(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	mine, other := o.asks(o.Buyer), o.Franchiser("29")
	o.Clock.Advance(time.Hour)
	theirs := o.asks(other)
	_, err := o.DB.Owner.Exec(`INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, valid_until, created_at)
		SELECT uuidv7(), franchiser_id, order_id, 'X' || i, 'expired', amount_paise + i * 100, taxable_paise, title, document, account, valid_until, created_at
		FROM proformas, generate_series(1, 5000) i WHERE id = $1`, theirs.ID)
	require.NoError(t, err)
	_, err = o.service.TellUTR(t.Context(), o.Buyer, mine.ID, "HDFCR52026112500999")
	require.NoError(t, err)
	at := time.Now() //nolint:forbidigo // measures
	o.comes("HDFCR52026112500999", mine.Amount)
	o.comes("HDFCR52026112500998", mine.Amount-100_00)
	o.sweeps()
	swept := time.Since(at)
	at = time.Now() //nolint:forbidigo // measures
	list := o.credits()
	t.Logf("with 5,000 proformas: two credits and two sweeps %v, a page of credits %v", swept, time.Since(at))
	require.Equal(t, mine.ID, list[1].Proposals[0].ProformaID)
	require.Equal(t, match.BasisUTR, list[1].Proposals[0].Basis)
	require.LessOrEqual(t, len(list[0].Proposals), 5)

	for i := range 12 {
		typ := plan.TypeYearly
		if i%2 == 1 {
			typ = plan.TypeMonthly
		}
		_, err := o.service.Open(t.Context(), other, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, i/2%2), typ)}})
		require.NoError(t, err)
	}
	require.Equal(t, 5, o.Count(`SELECT count(*) FROM proformas WHERE state = 'open' AND franchiser_id = $1`, other))
	_, err = o.DB.Owner.Exec(`UPDATE proformas SET told_utr = 'TOLD000001', told_at = $2 WHERE state = 'open' AND franchiser_id = $1`, other, o.Clock.Now())
	require.NoError(t, err)
	o.Clock.Advance(time.Hour)
	_, err = o.service.Open(t.Context(), other, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 0), plan.TypeYearly)}})
	require.ErrorIs(t, err, transfer.ErrTooManyProformas, "a transfer may be on its way for each of them")
}

// Given an upgrade by transfer whose money comes days later and in the next month, then it costs the proforma's price, with the credit of
// that day. If the money comes too late, the upgrade does not apply, and no message mentions a refund.
func TestUpgrade_PaidByTransferDaysLater_CostsTheProformasPrice(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	o.Live(24)
	upgrade := transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 1), plan.TypeYearly)}}
	p, err := o.service.Open(t.Context(), o.Buyer, upgrade)
	require.NoError(t, err)
	asked := o.Today()
	o.Pass(12 * story.Day)
	o.collected(o.Buyer, "SBINR52026112500051", p.Amount)
	require.Equal(t, "paid", o.state(p))
	require.Equal(t, p.Amount, money.Paise(o.Count(`SELECT amount_paise FROM payments WHERE gateway = 'bank'`)))
	require.Equal(t, asked.String(), o.Text(`SELECT starts_on::text FROM subscriptions`), "it counts from the day of the proforma")
	require.Zero(t, o.Balance("bank_receipts"))
	o.Balanced()
}

func TestUpgrade_PaidTooLate_IsNotReportedAsRefunded(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeYearly))
	o.Live(30)
	p, err := o.service.Open(t.Context(), o.Buyer, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 1), plan.TypeYearly)}})
	require.NoError(t, err)
	o.Pass(20 * story.Day)
	o.collected(o.Buyer, "SBINR52026112500052", p.Amount)
	require.Equal(t, "expired", o.state(p), "a person decides")
	o.confirm(o.credits()[0], transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "cancelled", o.state(p), "it costs more by now")
	note := o.Text(`SELECT note FROM bank_credits`)
	require.Contains(t, note, "was due instead of")
	require.NotContains(t, note, "refunded")
	require.Equal(t, -p.Amount, o.Balance("bank_receipts"))
	o.Balanced()
}

// Given a transfer in the collector's list with a known UTR, without a UTR, or next to an unreadable transfer, then it is kept and waits
// for staff.
func TestCollect_DuplicateOrUnreadableTransfer_WaitsForStaff(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.comes("412345678901", 100_00)
	o.virtual.unread = errors.New("one transfer could not be read")
	o.virtual.credits = []transfer.Credit{
		{ID: "pay_1", AccountID: "va_" + o.Buyer, UTR: "412345678901", Amount: p.Amount, PaidAt: o.Clock.Now()},
		{ID: "pay_22222222", AccountID: "va_" + o.Buyer, Amount: 200_00, PaidAt: o.Clock.Now()},
	}
	require.Error(t, o.booker.Sweep(t.Context()), "what was not read is asked for again")
	o.run()
	o.virtual.unread = nil
	o.sweeps()
	require.Equal(t, "open", o.state(p), "a person compares the two")
	require.Equal(t, p.Amount+200_00, o.Balance("gateway_clearing"))
	require.Equal(t, 3, o.Count(`SELECT count(*) FROM bank_credits WHERE state = 'open'`))
	require.Contains(t, o.Text(`SELECT note FROM bank_credits WHERE clash`), "same number")
	require.Contains(t, o.Text(`SELECT note FROM bank_credits WHERE utr = 'PAY22222222'`), "no number")
	o.Balanced()
}

// Given no notice, then a transfer on day 20 is found all the same, and waits for a person.
func TestCollect_LateTransferWithoutWebhook_IsFound(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.Pass(16 * story.Day)
	o.sweeps()
	require.Equal(t, "expired", o.state(p))
	o.Pass(4 * story.Day)
	o.collected(o.Buyer, "SBINR52026112500009", p.Amount)
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM bank_credits WHERE state = 'open'`))
	o.Pass(80 * story.Day)
	o.sweeps()
	require.Equal(t, "cancelled", o.state(p), "it does not stay for ever")
}

// Given money for a proforma that can have no effect any more, then the sweep reports it once.
func TestSweep_ProformaWithoutEffect_IsReportedOnce(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	o.collected(o.Buyer, "SBINR52026112500012", p.Amount/2)
	o.Pay(o.Buyer, story.Buy(o.Tier(0, 0), plan.TypeMonthly))
	_, err := o.DB.Owner.Exec(`UPDATE orders SET created_at = created_at + interval '1 hour' WHERE id = $1`, p.OrderID) // as if nothing showed that it was replaced
	require.NoError(t, err)
	for range 3 {
		o.collected(o.Buyer, "SBINR52026112500011", p.Amount)
	}
	require.LessOrEqual(t, o.Count(`SELECT count(*) FROM bank_credit_uses`), 1)
	require.Equal(t, "cancelled", o.state(p))
	o.Balanced()
}

// Given deducted tax that is not what its rate gives, or of a bill that was paid in full, then it is refused.
func TestDeductedTax_DiffersFromItsRate_IsRefused(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	half, exact := p.Taxable/2/100*100, (p.Taxable.MulBps(1000)+50)/100*100
	c := o.comes("AXISN42026112500031", p.Amount-half)
	_, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, TDS: half, RateBps: 100, Key: "tds-0001"})
	require.ErrorContains(t, err, "not the tax at this rate")
	_, err = o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, GSTTDS: half, Key: "tds-0002"})
	require.ErrorContains(t, err, "not the tax at this rate")
	full := o.comes("AXISN42026112500033", p.Amount)
	_, err = o.try(o.Ravi, full, transfer.UseInput{ProformaID: p.ID, TDS: exact, RateBps: 1000, Key: "tds-0003"})
	require.ErrorIs(t, err, transfer.ErrPaidInFull)
	less := o.comes("AXISN42026112500034", p.Amount-exact-2_00)
	_, err = o.try(o.Ravi, less, transfer.UseInput{ProformaID: p.ID, TDS: exact + 3_00, RateBps: 1000, Key: "tds-0004"})
	require.Error(t, err)
	u, err := o.try(o.Ravi, less, transfer.UseInput{ProformaID: p.ID, TDS: exact + 2_00, RateBps: 1000, Key: "tds-0005"})
	require.NoError(t, err, "deductors round")
	o.approves(o.meera, u)
	require.Equal(t, "paid", o.state(p))
	o.Balanced()
}

// Given a transfer of 31 March that is booked in April, then its tax is that of the last quarter.
func TestDeductedTax_QuarterIsThePayments(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	o.Pass(time.Date(2027, 3, 30, 10, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
	p := o.asks(o.Buyer)
	o.Pass(3 * story.Day)
	tds := (p.Taxable.MulBps(1000) + 50) / 100 * 100
	list, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{
		{UTR: "ICICR42027033100009", Amount: p.Amount - tds, PaidAt: time.Date(2027, 3, 31, 0, 0, 0, 0, clock.IST)},
	}, "Statement of March", "")
	require.NoError(t, err)
	o.run()
	o.confirm(list[0], transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 1000})
	require.Equal(t, "2026-27 Q4", o.Text(`SELECT tax_year || ' Q' || quarter FROM tds_records`))
}

// Given two concurrent decisions, then the second fails with a message, and one is recorded.
func TestDecide_ConcurrentDecisions_OneIsRecorded(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	u, err := o.try(o.Asha, o.comes("AXISN42026112500071", 5000_00), transfer.UseInput{Kind: transfer.UseReturn, UTR: "OURN42026112500001", Key: "return-key"})
	require.NoError(t, err)
	tx, err := o.DB.Owner.Beginx()
	require.NoError(t, err)
	_, err = tx.Exec(`SELECT FROM bank_credit_uses WHERE id = $1 FOR UPDATE`, u.ID)
	require.NoError(t, err)
	results := make(chan error, 2)
	for _, approve := range []bool{true, false} {
		go func() {
			_, err := o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, approve, "Decided")
			results <- err
		}()
	}
	require.Eventually(t, func() bool {
		return o.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE bank_credit_uses%'`) == 2
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, tx.Commit())
	one, two := <-results, <-results
	if one != nil {
		one, two = two, one
	}
	require.NoError(t, one)
	require.ErrorIs(t, two, approval.ErrDecided)
	o.run()
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM staff_actions WHERE action IN ('approve_bank_return', 'decline_bank_return')`))
	o.Balanced()
}

// Given a credit that was mistyped and dismissed, then its number can be entered again.
func TestEnterCredits_DismissedUTR_CanBeEnteredAgain(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	u, err := o.try(o.Asha, o.comes("AXISN42026112500041", 10_00), transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
	require.NoError(t, err)
	o.approves(o.Ravi, u)
	o.comes("AXISN42026112500041", 1000_00)
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: "AXISN42026112500041", Amount: 1000_00, PaidAt: o.Clock.Now()}}, "Once more", "")
	require.ErrorIs(t, err, transfer.ErrUTRKnown)
	o.Balanced()
}

// Given another order number for the same order, then a new proforma prints it in place of the old one, unless part was paid under that.
func TestProforma_NewOrderNumber_ReplacesTheOldOne(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	first := o.asks(o.Buyer)
	_, err := o.service.TellUTR(t.Context(), o.Buyer, first.ID, "HDFCR52026112500001")
	require.NoError(t, err)
	with := func(po string) (transfer.Proforma, error) {
		return o.service.Open(t.Context(), o.Buyer, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 0), plan.TypeYearly)}, PONumber: po})
	}
	second, err := with("PO 9999")
	require.NoError(t, err)
	require.Equal(t, []any{"PO 9999", "HDFCR52026112500001", "PF/26-27/000002"}, []any{second.PONumber, second.ToldUTR, second.Number})
	require.Equal(t, []any{"cancelled", "open"}, []any{o.state(first), o.state(second)})
	same, err := with("")
	require.NoError(t, err)
	require.Equal(t, second.ID, same.ID)
	o.confirm(o.comes("HDFCR52026112500001", second.Amount/2), transfer.UseInput{ProformaID: second.ID})
	_, err = with("PO 7")
	require.ErrorIs(t, err, transfer.ErrPONumberPrinted)

	for _, state := range []string{"paid", "expired", "cancelled"} {
		require.Error(t, postgres.InTenantTx(t.Context(), o.DB.API, o.Buyer, func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE proformas SET state = $2 WHERE id = $1`, second.ID, state)
			return err
		}), "the api ends none for which money was received, and moves none to %s", state)
	}
}

// Given a customer who is erased, then unpaid proformas, given UTRs and payers are blank, the account number is closed, and paid proformas
// are kept. The export contains all of it before.
func TestPersonalData_Transfers_AreExportedAndErased(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	paid := o.asks(o.Buyer)
	o.collected(o.Buyer, "SBINR52026112500001", paid.Amount)
	require.Equal(t, "paid", o.state(paid))
	unpaid, err := o.service.Open(t.Context(), o.Buyer, transfer.Input{Request: checkout.Input{Intent: o.Renewal(o.Buyer)}, PONumber: "PO 1"})
	if err != nil {
		unpaid, err = o.service.Open(t.Context(), o.Buyer, transfer.Input{Request: checkout.Input{Intent: story.Buy(o.Tier(0, 1), plan.TypeYearly)}, PONumber: "PO 1"})
	}
	require.NoError(t, err)
	_, err = o.service.TellUTR(t.Context(), o.Buyer, unpaid.ID, "HDFCR52026112500001")
	require.NoError(t, err)
	o.collected(o.Buyer, "SBINR52026112500002", 10_00)
	c := o.credits()[0]
	u, err := o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
	require.NoError(t, err)
	o.approves(o.Ravi, u)

	records := transfer.NewPersonalData(testkit.NewInserter(t, o.DB.Worker), o.Clock)
	require.NoError(t, postgres.InTenantTx(t.Context(), o.DB.API, o.Buyer, func(tx *sqlx.Tx) error {
		section, data, err := records.ExportTx(t.Context(), tx, o.Buyer)
		require.Equal(t, "bank_transfers", section)
		require.Contains(t, staff.JSON(data), "ASHA SWEETS")
		require.Contains(t, staff.JSON(data), unpaid.Number)
		return err
	}))
	require.NoError(t, postgres.InTx(t.Context(), o.DB.Worker, func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, o.Buyer) }))
	o.run()
	require.Equal(t, []string{"va_" + o.Buyer}, o.virtual.closed)
	require.Equal(t, "{}", o.Text(`SELECT po_number || told_utr || (document -> 'recipient')::text FROM proformas WHERE id = $1`, unpaid.ID))
	require.NotEqual(t, "{}", o.Text(`SELECT (document -> 'recipient')::text FROM proformas WHERE id = $1`, paid.ID))
	require.Equal(t, "ASHA SWEETS", o.Text(`SELECT payer_name FROM bank_credits WHERE utr = 'SBINR52026112500001'`), "what paid an invoice is kept with it")
	require.Empty(t, o.Text(`SELECT payer_name FROM bank_credits WHERE utr = 'SBINR52026112500002'`))
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM virtual_accounts WHERE closed_at IS NOT NULL AND beneficiary = 'Erased'`))
}

func TestVirtualAccount_AfterAMonth_IsReopenedByItsID(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	o.asks(o.Buyer)
	require.Empty(t, o.virtual.known)
	o.Live(31)
	p := o.asks(o.Buyer)
	require.Equal(t, 2, o.virtual.opened, "the collector closes one that nobody uses")
	require.Equal(t, p.Account.ID, o.virtual.known)
}

// Given money on a customer's own account number that is not the bill's exact amount, then the customer reads that it has arrived, until it
// is used.
func TestProforma_UnassignedCredit_IsShownToItsCustomer(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(200) + 50) / 100 * 100
	o.collected(o.Buyer, "SBIN326330000091", p.Amount-tds)
	found, err := o.service.Find(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, []money.Paise{p.Amount - tds, 0}, []money.Paise{found.Unassigned, found.Received})
	u, err := o.try(o.Ravi, o.credits()[0], transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 200, Key: "assign-91"})
	require.NoError(t, err)
	o.approves(o.Asha, u)
	found, err = o.service.Find(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, []any{transfer.StatePaid, money.Paise(0), p.Amount - tds}, []any{found.State, found.Unassigned, found.Received})
}
