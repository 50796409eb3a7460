package transfer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// entered lets money come into the operator's account with a day and a remark of the bank's.
func (o *office) entered(row statement.Row) transfer.BankCredit {
	o.T.Helper()
	list, err := o.desk.EnterAll(o.Asha.Sign(o.T.Context()), o.Asha, []statement.Row{row}, "Statement of today", "")
	require.NoError(o.T, err)
	o.run()
	return list[0]
}

func (o *office) bill(franchiser string, t plan.Tier, typ plan.Type) transfer.Proforma {
	o.T.Helper()
	p, err := o.service.Open(o.T.Context(), franchiser, transfer.Input{Request: checkout.Input{Intent: story.Buy(t, typ)}})
	require.NoError(o.T, err)
	return p
}

// seen returns a credit as staff see it.
func (o *office) seen(c transfer.BankCredit) transfer.BankCredit {
	o.T.Helper()
	for _, one := range o.credits() {
		if one.ID == c.ID {
			return one
		}
	}
	require.Fail(o.T, "the credit is not listed")
	return c
}

// Given a credit whose remark names a proforma or an order number, then that bill is proposed before others of the same amount.
func TestMatch_ReferenceInTheRemark_PrecedesTheAmount(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	other := o.bill(o.Franchiser("29"), o.Tier(0, 0), plan.TypeYearly)
	mine := o.asks(o.Buyer)
	require.Equal(t, mine.Amount, other.Amount)
	for i, remark := range []string{"NEFT CR-ASHA SWEETS-PF/26-27/000002", "BY TRANSFER-pf2627000002-ASHA", "NEFT/ASHA/PO 4711/HDFC"} {
		c := o.entered(statement.Row{UTR: "AXISN4202611250000" + string(rune('1'+i)), Amount: mine.Amount, PaidAt: o.Clock.Now(), Narration: remark})
		list := o.seen(c).Proposals
		require.Len(t, list, 2, remark)
		require.Equal(t, []any{mine.ID, match.BasisReference, match.FitExact}, []any{list[0].ProformaID, list[0].Basis, list[0].Fit}, remark)
		require.Equal(t, match.BasisAmount, list[1].Basis)
	}
	require.Equal(t, []any{"open", "open"}, []any{o.state(mine), o.state(other)})
}

// Given two proformas of the same total on one customer's account, then neither is paid without staff, whatever UTR the customer gave.
func TestBook_TwoProformasOfOneTotal_NeedConfirmation(t *testing.T) {
	t.Parallel()
	o := open(t, &collector{})
	first := o.asks(o.Buyer)
	second := o.bill(o.Buyer, o.Tier(0, 1), plan.TypeYearly)
	_, err := o.DB.Owner.Exec(`UPDATE proformas SET amount_paise = $2, taxable_paise = $3 WHERE id = $1`, second.ID, first.Amount, first.Taxable)
	require.NoError(t, err)
	_, err = o.service.TellUTR(t.Context(), o.Buyer, second.ID, "SBIN326330000001")
	require.NoError(t, err)
	o.collected(o.Buyer, "SBIN326330000001", first.Amount)
	require.Equal(t, []any{"open", "open"}, []any{o.state(first), o.state(second)})
	require.Equal(t, second.ID, o.credits()[0].Proposals[0].ProformaID, "the bill whose number was told comes first")
}

// Given one number in several spellings, then it is one transfer: at entry, in a statement, told, sought, on its way out, and in the database.
func TestUTR_EachSpelling_IsOneTransfer(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("0000412345678901", p.Amount)
	require.Equal(t, "412345678901", c.UTR)
	spellings := []string{"412345678901", "RRN 4123 4567 8901", "imps/412345678901", "UTR No. 412345678901"}
	for i, said := range spellings {
		require.Equal(t, c.UTR, o.Text(`SELECT clean_utr($1)`, said), said)
		require.Equal(t, c.UTR, utr.Clean(said), said)
		_, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: said, Amount: p.Amount, PaidAt: o.Clock.Now()}}, "Once more", "")
		require.ErrorIs(t, err, transfer.ErrUTRKnown, said)
		s, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte("Date,Narration,Ref No,Credit\n25/11/2026,IMPS IN,"+said+",500.00\n"), nil)
		require.NoError(t, err)
		require.Len(t, s.Rows, 1, said)
		require.True(t, s.Rows[0].Known, said)
		list, _, err := o.desk.Credits(o.Asha.Sign(t.Context()), transfer.CreditQuery{Search: said, Limit: 5})
		require.NoError(t, err)
		require.Len(t, list, 1, said)
		other := o.comes(fmt.Sprint("AXISN4202611250001", i), 10_00)
		_, err = o.try(o.Asha, other, transfer.UseInput{Kind: transfer.UseReturn, UTR: said, Key: fmt.Sprint("return-00", i)})
		require.ErrorIs(t, err, transfer.ErrUTRKnown, said)
	}
	_, err := o.service.TellUTR(t.Context(), o.Buyer, p.ID, "RRN: 4123-4567-8901")
	require.NoError(t, err)
	require.Equal(t, match.BasisUTR, o.seen(c).Proposals[0].Basis)
	for said, want := range map[string]string{
		"UTR: SBIN325123456789": "SBIN325123456789", "NEFT INDB326112345678": "INDB326112345678", "UTRN326252345678901": "N326252345678901",
		"sbin-0r5/2026": "SBIN0R52026", "RRN 003212345678": "003212345678", "0000003212345678": "003212345678", "000000000412": "000000000412",
		"0000999912345678": "999912345678", "000099912345": "99912345", "UPI003212345678": "003212345678", "00012": "00012", "UTR123456790": "UTR123456790",
	} {
		require.Equal(t, []any{want, want}, []any{utr.Clean(said), o.Text(`SELECT clean_utr($1)`, said)}, said)
	}
}

// Given deducted tax, a dismissal or a return, then the requester cannot decide, and the database enforces it. In an office of two the
// colleague decides, whoever of the two entered the credit.
func TestUse_TaxDismissalOrReturn_NeedsASecondPerson(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(200) + 50) / 100 * 100
	c := o.comes("AXISN42026112500081", p.Amount-tds)
	ask := func(key string) transfer.Use {
		u, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 200, Key: key})
		require.NoError(t, err)
		require.Equal(t, transfer.UseWaiting, u.State)
		return u
	}
	u := ask("taxed-001")
	_, err := o.desk.Decide(o.Ravi.Sign(t.Context()), o.Ravi, u.ID, true, "It is fine")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	require.ErrorContains(t, postgres.InTx(o.Ravi.Sign(t.Context()), o.DB.API, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE bank_credit_uses SET state = 'requested', decided_by = $2, decided_at = now() WHERE id = $1`, u.ID, o.Ravi.StaffID)
		return err
	}), "row-level security")
	_, err = o.desk.Decide(o.Asha.Sign(t.Context()), o.Asha, u.ID, false, "Ask the customer first")
	require.NoError(t, err, "nothing moves")
	o.approves(o.Asha, ask("taxed-002"))
	require.Equal(t, "paid", o.state(p))

	stray := o.comes("AXISN42026112500082", 10_00)
	u, err = o.try(o.Ravi, stray, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismissal"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	o.approves(o.Asha, u)
	require.Equal(t, "dismissed", o.Text(`SELECT state FROM bank_credits WHERE id = $1`, stray.ID))

	twice := o.comes("AXISN42026112500089", 10_00)
	u, err = o.try(o.Ravi, twice, transfer.UseInput{Kind: transfer.UseReturn, UTR: "OURN42026112500089", Key: "return-89"})
	require.NoError(t, err)
	o.approves(o.Asha, u)
	require.Equal(t, "used", o.Text(`SELECT state FROM bank_credits WHERE id = $1`, twice.ID))
	o.Balanced()
}

// Given a part of a proforma that staff release, then it pays another proforma of that customer or is returned, never both. One person
// cannot use it for another customer. Afterwards the first proforma can be cancelled.
func TestRelease_PartOfAProforma_IsUsedOnce(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p, theirs := o.asks(o.Buyer), o.bill(o.Franchiser("29"), o.Tier(0, 0), plan.TypeYearly)
	c := o.comes("AXISN42026112500083", p.Amount/2)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	_, err := o.service.Cancel(t.Context(), o.Buyer, p.ID)
	require.ErrorIs(t, err, transfer.ErrPartlyReceived)
	_, err = o.desk.CancelProforma(o.Ravi.Sign(t.Context()), o.Ravi, p.ID, "As the customer asked")
	require.ErrorIs(t, err, transfer.ErrPartlyReceived)
	_, err = o.try(o.Ravi, c, transfer.UseInput{ProformaID: theirs.ID, Key: "theirs-01"})
	require.ErrorIs(t, err, transfer.ErrCreditUsed)

	u, err := o.try(o.Ravi, c, transfer.UseInput{Kind: transfer.UseRelease, Key: "release-1"})
	require.NoError(t, err)
	require.Equal(t, []any{transfer.UseWaiting, p.Amount / 2}, []any{u.State, u.Amount})
	require.NoError(t, postgres.InTx(t.Context(), o.DB.Worker, func(tx *sqlx.Tx) error {
		rows, _, err := transfer.WorkSources()[1].Read(t.Context(), tx, o.Clock.Now(), 10)
		require.Len(t, rows, 1)
		require.Contains(t, rows[0].Wrong, "to take it from its bill")
		return err
	}))
	_, err = o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseReturn, UTR: "OURN42026112500083", Key: "return-01"})
	require.ErrorIs(t, err, transfer.ErrUseOpen)
	o.approves(o.meera, u)
	free := o.seen(c)
	require.Equal(t, []any{transfer.CreditOpen, p.Amount / 2, money.Paise(0)}, []any{free.State, free.Rest(), free.Held})
	o.Balanced()

	_, err = o.service.Cancel(t.Context(), o.Franchiser("29"), p.ID)
	require.Error(t, err, "it is another customer's")
	cancelled, err := o.desk.CancelProforma(o.Ravi.Sign(t.Context()), o.Ravi, p.ID, "As the customer asked")
	require.NoError(t, err)
	require.Equal(t, []any{transfer.StateCancelled, "staff"}, []any{cancelled.State, cancelled.CancelledBy})
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM staff_actions WHERE action = 'cancel_proforma'`))

	u, err = o.try(o.Ravi, c, transfer.UseInput{ProformaID: theirs.ID, Key: "theirs-02"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State, "it would become another customer's")
	_, err = o.desk.Decide(o.meera.Sign(t.Context()), o.meera, u.ID, false, "It is not theirs")
	require.NoError(t, err)
	monthly := o.bill(o.Buyer, o.Tier(0, 0), plan.TypeMonthly)
	u, err = o.try(o.Ravi, c, transfer.UseInput{ProformaID: monthly.ID, Key: "monthly-1"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseRequested, u.State)
	require.Equal(t, "paid", o.state(monthly))
	o.Balanced()
}

// Given an excess of one customer's transfer, then it pays no other customer's proforma, even with two people.
func TestExcess_PaysNoProformaOfAnotherCustomer(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p, theirs := o.asks(o.Buyer), o.bill(o.Franchiser("29"), o.Tier(0, 0), plan.TypeYearly)
	c := o.comes("AXISN42026112500084", p.Amount+theirs.Amount)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	require.Equal(t, "paid", o.state(p))
	_, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: theirs.ID, Key: "theirs-01"})
	require.ErrorIs(t, err, transfer.ErrOtherCustomer)
	found, err := o.service.Find(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, theirs.Amount, found.Over, "the customer sees what is too much")
}

// Given a waiting return, when a proforma that held part of that money is paid first, then the return fails and takes nothing from the paid
// proforma. The other proforma can no longer be paid, so its part is free.
func TestReturn_ProformaPaidBefore_FailsAndTakesNothing(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	first := o.bill(o.Buyer, o.Tier(0, 0), plan.TypeYearly)
	monthly := o.bill(o.Buyer, o.Tier(0, 0), plan.TypeMonthly)
	c := o.comes("AXISN42026112500085", first.Amount/2+monthly.Amount/2)
	half := transfer.UseInput{CreditID: c.ID, Kind: transfer.UseOrder, ProformaID: monthly.ID, Reason: "It is theirs", Key: "half-0001"}
	u, err := o.desk.Ask(o.Ravi.Sign(t.Context()), o.Ravi, half)
	require.NoError(t, err)
	_, err = o.DB.Owner.Exec(`UPDATE bank_credit_uses SET amount_paise = $2 WHERE id = $1`, u.ID, monthly.Amount/2)
	require.NoError(t, err)
	o.run()
	require.Equal(t, "open", o.state(monthly))
	o.confirm(c, transfer.UseInput{ProformaID: first.ID})
	require.Equal(t, "open", o.state(first))

	back, err := o.try(o.Ravi, c, transfer.UseInput{Kind: transfer.UseReturn, UTR: "OURN42026112500085", Key: "return-01"})
	require.NoError(t, err)
	require.Equal(t, c.Amount, back.Amount)
	rest := o.comes("AXISN42026112500086", monthly.Amount)
	o.confirm(rest, transfer.UseInput{ProformaID: monthly.ID})
	require.Equal(t, "paid", o.state(monthly))
	admin := o.meera
	_, err = o.DB.Owner.Exec(`UPDATE staff SET role = 'admin' WHERE id = $1`, admin.StaffID)
	require.NoError(t, err)
	admin.Role = o.Asha.Role
	o.approves(admin, back)
	require.Equal(t, "failed", o.Text(`SELECT state FROM bank_credit_uses WHERE id = $1`, back.ID))
	require.Equal(t, "cancelled", o.state(first))
	found, err := o.service.Find(t.Context(), o.Buyer, monthly.ID)
	require.NoError(t, err)
	require.Equal(t, monthly.Amount, found.Received)
	require.Equal(t, first.Amount/2, o.seen(c).Rest())
	o.Balanced()
}

// Given deducted tax that waits for a colleague, when another transfer pays part of the proforma first, then the tax is not recorded.
func TestDeductedTax_AnotherPartPaidBefore_IsNotRecorded(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(1000) + 50) / 100 * 100
	c := o.comes("AXISN42026112500087", p.Amount-tds)
	u, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 1000, Key: "taxed-001"})
	require.NoError(t, err)
	rest := o.comes("AXISN42026112500088", tds)
	o.confirm(rest, transfer.UseInput{ProformaID: p.ID})
	o.approves(o.meera, u)
	require.Equal(t, "open", o.state(p))
	require.Contains(t, o.Text(`SELECT failure FROM bank_credit_uses WHERE id = $1`, u.ID), "meanwhile")
	require.Zero(t, o.Count(`SELECT count(*) FROM tds_records`))
	_, err = o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, Key: "both-0001"})
	require.NoError(t, err)
	require.Equal(t, "paid", o.state(p))
	o.Balanced()
}

// Given a credit of some days ago, then its invoice and its ledger entry have the day of the credit; a later invoice is not dated before
// it.
func TestInvoice_DatedOnTheDayOfTheCredit(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	o.Pass(time.Date(2027, 1, 4, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
	p, other := o.asks(o.Buyer), o.bill(o.Franchiser("29"), o.Tier(0, 0), plan.TypeYearly)
	o.Pass(8 * story.Day)
	came := time.Date(2027, 1, 7, 0, 0, 0, 0, clock.IST)
	o.confirm(o.entered(statement.Row{UTR: "ICIC327007000001", Amount: p.Amount, PaidAt: came}), transfer.UseInput{ProformaID: p.ID})
	dated := `SELECT string_agg(to_char(issued_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD'), ' ' ORDER BY sequence) FROM invoices WHERE kind = 'invoice'`
	require.Equal(t, "2027-01-07", o.Text(dated))
	require.Equal(t, "2027-01-07", o.Text(`SELECT to_char((receipt ->> 'paid_at')::timestamptz AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') FROM invoices`))
	require.Equal(t, "2027-01-07", o.Text(`SELECT to_char(posted_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') FROM ledger_journals WHERE reference LIKE 'bank_credit/%'`))
	earlier := time.Date(2027, 1, 5, 0, 0, 0, 0, clock.IST)
	o.confirm(o.entered(statement.Row{UTR: "ICIC327007000002", Amount: other.Amount, PaidAt: earlier}), transfer.UseInput{ProformaID: other.ID})
	require.Equal(t, "2027-01-07 2027-01-07", o.Text(dated), "a later number has no earlier date")
	require.Zero(t, o.Count(`SELECT count(*) FROM invoices WHERE kind = 'receipt_voucher'`))
	o.Balanced()
}

// Given money of January that is booked in February: without a document of February the invoice is of January; after one, a receipt voucher is, which
// counts in January's return and is set off in February's; and once January is locked, the invoice alone counts, in February.
func TestInvoice_CreditOfAnEarlierMonth_CountsInThatMonth(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		locked, later bool
		want          string
		january       int
	}{
		"nothing was numbered since": {false, false, "invoice 2027-01", 0},
		"a later number":             {false, true, "invoice 2027-02, invoice 2027-02, receipt_voucher 2027-01", 1},
		"the month is locked":        {true, false, "invoice 2027-02", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t, nil)
			o.Pass(time.Date(2027, 1, 28, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
			p := o.asks(o.Buyer)
			other := o.Franchiser("29")
			o.Pass(time.Date(2027, 2, 3, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
			if tc.later {
				o.Pay(other, story.Buy(o.Tier(0, 0), plan.TypeYearly))
			}
			if tc.locked {
				_, err := o.Locks.Lock(o.Asha.Sign(t.Context()), o.Asha, o.Locks.LastMonthEnd(), "January is filed")
				require.NoError(t, err)
			}
			came := time.Date(2027, 1, 30, 0, 0, 0, 0, clock.IST)
			o.confirm(o.entered(statement.Row{UTR: "ICIC327030000001", Amount: p.Amount, PaidAt: came}), transfer.UseInput{ProformaID: p.ID})
			require.Equal(t, "paid", o.state(p))
			require.Equal(t, tc.want, o.Text(`SELECT string_agg(kind || to_char(issued_at AT TIME ZONE 'Asia/Kolkata', ' YYYY-MM'), ', ' ORDER BY kind) FROM invoices`))
			require.Equal(t, "2027-01-30", o.Text(`SELECT to_char((receipt ->> 'paid_at')::timestamptz AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD')
				FROM invoices WHERE kind = 'invoice' AND franchiser_id = $1`, o.Buyer))
			o.Balanced()
			signed := o.Asha.Sign(t.Context())
			month := func(year int, m time.Month) int {
				rows := 0
				require.NoError(t, postgres.InTx(signed, o.DB.API, func(tx *sqlx.Tx) error {
					from := time.Date(year, m, 1, 0, 0, 0, 0, clock.IST)
					return invoice.TaxedTx(signed, tx, from, from.AddDate(0, 1, 0), func(d invoice.Taxed) error {
						if d.Kind == invoice.KindReceiptVoucher {
							require.NotNil(t, d.InvoicedAt, "the invoice follows it")
							rows++
						}
						return nil
					})
				}))
				return rows
			}
			require.Equal(t, []any{tc.january, tc.january}, []any{month(2027, time.January), month(2027, time.February)}, "11A of its month, 11B of the invoice's")
		})
	}
}

// Given an account that is erased while money is held for its proforma, then the proforma ends, and the money can be returned.
func TestErasure_CreditHeldForAProforma_CanBeReturned(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500089", p.Amount/2)
	o.confirm(c, transfer.UseInput{ProformaID: p.ID})
	records := transfer.NewPersonalData(testkit.NewInserter(t, o.DB.Worker), o.Clock)
	require.NoError(t, postgres.InTx(t.Context(), o.DB.Worker, func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, o.Buyer) }))
	require.Equal(t, "cancelled", o.state(p))
	free := o.seen(c)
	require.Equal(t, []any{transfer.CreditOpen, p.Amount / 2}, []any{free.State, free.Rest()})
	require.Contains(t, free.Note, "erased")
	o.Balanced()
}

// Given a proforma for which nothing came, then its customer cancels it, once, and another one can be made.
func TestCancelProforma_ByItsCustomer_WorksOnce(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500090", p.Amount)
	cancelled, err := o.service.Cancel(t.Context(), o.Buyer, p.ID)
	require.NoError(t, err)
	require.Equal(t, []any{transfer.StateCancelled, "customer", false}, []any{cancelled.State, cancelled.CancelledBy, cancelled.Cancellable()})
	_, err = o.service.Cancel(t.Context(), o.Buyer, p.ID)
	require.ErrorIs(t, err, transfer.ErrProformaClosed)
	require.Empty(t, o.seen(c).Proposals)
	again := o.asks(o.Buyer)
	require.NotEqual(t, p.Number, again.Number)
	u, err := o.try(o.Asha, c, transfer.UseInput{ProformaID: again.ID, Key: "waiting-1"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	_, err = o.service.Cancel(t.Context(), o.Buyer, again.ID)
	require.ErrorIs(t, err, transfer.ErrPartlyReceived, "a colleague may be about to book it")
}

// Given a bill that was paid less both taxes, when parts of it are refunded, then only received money is refunded as money, the rest
// reduces the receivable tax, and both add up in the end.
func TestRefund_BillPaidLessBothTaxes_ReversesTheTaxesInProportion(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds, gst := (p.Taxable.MulBps(1000)+50)/100*100, p.Taxable.MulBps(200)
	cash := p.Amount - tds - gst
	o.confirm(o.comes("AXISN42026112500095", cash), transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 1000, GSTTDS: gst})
	require.Equal(t, "paid", o.state(p))
	paymentID := o.Text(`SELECT id FROM payments WHERE gateway = 'bank'`)
	third := p.Amount / 3
	o.transfersBack(paymentID, third, "OURN4202611250000A")
	withheld := money.Paise(o.Count(`SELECT withheld_paise FROM refunds`))
	require.Equal(t, refund.WithheldShare(tds+gst, third, p.Amount), withheld)
	require.Equal(t, cash-(third-withheld), o.Balance("bank"))
	require.Equal(t, tds+gst-withheld, o.Balance("tds_receivable")+o.Balance("gst_tds_receivable"))
	o.transfersBack(paymentID, p.Amount-third, "OURN4202611250000B")
	require.Zero(t, o.Balance("bank"))
	require.Zero(t, o.Balance("tds_receivable"))
	require.Zero(t, o.Balance("gst_tds_receivable"))
	require.Equal(t, tds+gst, money.Paise(o.Count(`SELECT sum(reversed_paise) FROM tds_records`)))
	o.Clock.Advance(200 * story.Day)
	signed := o.fresh().Sign(t.Context())
	list, _, sum, err := o.desk.Deducted(signed, transfer.TDSQuery{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []any{2, 0, money.Paise(0)}, []any{len(list), list[0].Age, sum}, "nothing is expected any more")
	late, _, _, err := o.desk.Deducted(signed, transfer.TDSQuery{Late: true, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, late)
}

// fresh is a member of finance whose session began now.
func (o *office) fresh() staff.Principal {
	o.T.Helper()
	p, err := member.Add(o.T.Context(), o.DB.Owner, "late", staff.RoleFinance, o.Clock.Now())
	require.NoError(o.T, err)
	return p
}

// Given a credit entered by staff who may be the same person as the member who assigns it, then one person could have invented the money.
// The use waits for a third person; the database refuses the person who entered it.
func TestUse_EnteredAndAssignedByLinkedStaff_NeedsAThirdPerson(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.entered(statement.Row{UTR: "AXISN42026112500077", Amount: p.Amount, PaidAt: o.Clock.Now()})
	now := o.Clock.Now()
	_, err := o.DB.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until) VALUES ($1, $2, 'role', $3, $4)`,
		o.Ravi.StaffID, o.Asha.StaffID, now, now.Add(7*24*time.Hour))
	require.NoError(t, err)
	u, err := o.try(o.Ravi, c, transfer.UseInput{ProformaID: p.ID, Key: "lent-0001"})
	require.NoError(t, err)
	require.Equal(t, transfer.UseWaiting, u.State)
	_, err = o.desk.Decide(o.Asha.Sign(t.Context()), o.Asha, u.ID, true, "Seen in the statement")
	require.ErrorIs(t, err, staff.ErrOnePerson)
	require.ErrorContains(t, postgres.InTx(o.Ravi.Sign(t.Context()), o.DB.API, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO bank_credit_uses (id, credit_id, kind, franchiser_ref, proforma_id, amount_paise, state, reason, key, requested_by, requested_at)
			SELECT uuidv7(), credit_id, kind, franchiser_ref, proforma_id, amount_paise, 'requested', reason, 'lent-0002', requested_by, requested_at FROM bank_credit_uses WHERE id = $1`, u.ID)
		return err
	}), "row-level security", "nobody assigns it at once by a statement of their own")
	require.ErrorContains(t, postgres.InTx(o.Asha.Sign(t.Context()), o.DB.API, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE bank_credit_uses SET state = 'requested', decided_by = $2, decided_at = $3 WHERE id = $1`, u.ID, o.Asha.StaffID, now)
		return err
	}), "may be one person")
	o.approves(o.meera, u)
	require.Equal(t, "paid", o.state(p))
}

func TestEnterCredits_NumberThatASpreadsheetChanged_IsRefused(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	for _, said := range []string{"6.32712E+11", "632712E11", "632712345678.0", "632712345678.00", "632712000000", "403993715524046000", "919876543210", "asha@ybl", "919876543210@ybl"} {
		_, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: said, Amount: 500_00, PaidAt: o.Clock.Now()}}, "Statement of today", "")
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), said)
	}
	o.comes("632712345678", 500_00)
	require.Equal(t, 1, o.Count(`SELECT count(*) FROM bank_credits`))
}
