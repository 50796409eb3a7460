package invoice_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// advance creates a payment of the franchiser and returns the input of its receipt voucher.
func (b *bundle) advance(t *testing.T, franchiserID string, amount money.Paise, state invoice.StateCode) invoice.VoucherInput {
	t.Helper()
	paymentID, err := testkit.PaidPayment(t.Context(), b.db.Owner, franchiserID, int64(amount), false, b.clock.Now())
	require.NoError(t, err)
	return invoice.VoucherInput{
		FranchiserID: franchiserID, PaymentID: paymentID, Amount: amount, RateBps: 1800, SAC: invoice.SACSoftware,
		Description: "Advance: Start up · Expansion", Recipient: invoice.Recipient{Name: "Asha Traders", StateCode: state},
	}
}

func (b *bundle) receive(t *testing.T, in invoice.VoucherInput) (got invoice.Invoice, err error) {
	t.Helper()
	err = postgres.InTenantTx(t.Context(), b.db.API, in.FranchiserID, func(tx *sqlx.Tx) error {
		got, err = b.service.IssueReceiptVoucherTx(t.Context(), tx, in)
		return err
	})
	return got, err
}

func (b *bundle) giveBack(t *testing.T, franchiserID, paymentID, refundID string) (got invoice.Invoice, err error) {
	t.Helper()
	err = postgres.InTenantTx(t.Context(), b.db.API, franchiserID, func(tx *sqlx.Tx) error {
		got, err = b.service.IssueRefundVoucherTx(t.Context(), tx, franchiserID, paymentID, refundID, invoice.Receipt{Method: "UPI"}, b.clock.Now())
		return err
	})
	return got, err
}

// The receipt voucher of held money shows the included tax, once. After a refund, its refund voucher has the same amounts.
func TestVouchers_HeldMoneyReceivedAndRefunded_HaveEqualAmounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.advance(t, b.asha, 1_59_300_00, "29")
	received, err := b.receive(t, in)
	require.NoError(t, err)
	require.Equal(t, "RV/26-27/000001", received.Number)
	require.Equal(t, invoice.Totals{Amount: 1_35_000_00, Taxable: 1_35_000_00, Tax: invoice.Tax{IGST: 24_300_00}, Total: 1_59_300_00}, received.Totals)
	again, err := b.receive(t, in)
	require.NoError(t, err)
	require.Equal(t, received.ID, again.ID, "once a payment")

	refundID := b.refund(t, received, 1_59_300_00)
	returned, err := b.giveBack(t, b.asha, in.PaymentID, refundID)
	require.NoError(t, err)
	require.Equal(t, "FV/26-27/000001", returned.Number)
	require.Equal(t, received.Totals, returned.Totals)
	require.Equal(t, []string{received.Number, received.ID}, []string{returned.OriginalNumber, returned.OriginalID})
	second, err := b.giveBack(t, b.asha, in.PaymentID, refundID)
	require.NoError(t, err)
	require.Equal(t, returned.ID, second.ID, "once a refund")

	home, err := b.receive(t, b.advance(t, b.asha, 200_00, "27"))
	require.NoError(t, err)
	require.Equal(t, invoice.Tax{CGST: 15_25, SGST: 15_25}, home.Totals.Tax)
	require.Equal(t, money.Paise(169_50), home.Totals.Taxable)
	require.Equal(t, "RV/26-27/000002", home.Number)
}

func TestVouchers_InvalidInput_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string]func(in *invoice.VoucherInput){
		"nothing":              func(in *invoice.VoucherInput) { in.Amount = 0 },
		"less than nothing":    func(in *invoice.VoucherInput) { in.Amount = -1 },
		"nobody":               func(in *invoice.VoucherInput) { in.Recipient.Name = " " },
		"an e-mail":            func(in *invoice.VoucherInput) { in.Recipient.Name = "asha@example.in" },
		"nowhere":              func(in *invoice.VoucherInput) { in.Recipient.StateCode = "28" },
		"for nothing":          func(in *invoice.VoucherInput) { in.Description = "" },
		"no code":              func(in *invoice.VoucherInput) { in.SAC = "" },
		"more tax than amount": func(in *invoice.VoucherInput) { in.RateBps = 10_001 },
		"no payment":           func(in *invoice.VoucherInput) { in.PaymentID = "x" },
	} {
		in := b.advance(t, b.asha, 100_00, "27")
		change(&in)
		_, err := b.receive(t, in)
		require.ErrorIs(t, err, invoice.ErrBadInput, name)
	}
	in := b.advance(t, b.asha, 100_00, "27")
	_, err := b.giveBack(t, b.asha, in.PaymentID, id.New())
	require.ErrorIs(t, err, invoice.ErrNotFound, "what was never received")
	_, err = b.giveBack(t, b.asha, in.PaymentID, "x")
	require.ErrorIs(t, err, invoice.ErrBadInput)
	_, err = b.receive(t, in)
	require.NoError(t, err)
	_, err = b.giveBack(t, b.ravi, in.PaymentID, id.New())
	require.ErrorIs(t, err, invoice.ErrNotFound, "another's")
	var n int
	require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM invoices`))
	require.Equal(t, 1, n)
}

// Credit notes reduce the tax until 30 November after the invoice's financial year, Indian time, or until the annual return.
func TestCreditNote_AfterTheTimeLimit_HasNoGST(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time {
		at, err := time.ParseInLocation(time.DateTime, text, clock.IST)
		require.NoError(t, err)
		return at
	}
	for name, tc := range map[string]struct {
		at         string
		filed      string
		commercial bool
		number     string
	}{
		"the last second":           {"2027-11-30 23:59:59", "", false, "CN/27-28/000001"},
		"the first after":           {"2027-12-01 00:00:00", "", true, "CC/27-28/000001"},
		"before the return":         {"2027-10-04 23:59:59", "2027-10-05 00:00:00", false, "CN/27-28/000001"},
		"with the return":           {"2027-10-05 00:00:00", "2027-10-05 00:00:00", true, "CC/27-28/000001"},
		"a return after the limit":  {"2027-12-02 00:00:00", "2027-12-31 00:00:00", true, "CC/27-28/000001"},
		"still in the invoice's FY": {"2027-03-31 23:59:59", "", false, "CN/26-27/000001"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if tc.filed != "" {
				b.withReturns(t, map[string]time.Time{"26-27": day(tc.filed)})
			}
			original, err := b.issue(t, b.plan(t, b.asha))
			require.NoError(t, err)
			note, err := b.credit(t, invoice.CreditNoteInput{
				FranchiserID: b.asha, InvoiceID: original.ID, RefundID: b.refund(t, original, 59_300_00), Amount: 59_300_00, IssuedAt: day(tc.at),
			})
			require.NoError(t, err)
			require.Equal(t, tc.commercial, note.Commercial)
			require.Equal(t, tc.number, note.Number)
			require.Equal(t, money.Paise(59_300_00), note.Totals.Total, "the same money either way")
			require.Equal(t, tc.commercial, note.Totals.Tax.Total() == 0)
			read, err := b.service.Find(t.Context(), b.asha, note.ID)
			require.NoError(t, err)
			require.Equal(t, note, read)

			_, err = b.credit(t, invoice.CreditNoteInput{
				FranchiserID: b.asha, InvoiceID: original.ID, RefundID: id.New(), Amount: 1_00_000_01, IssuedAt: day(tc.at),
			})
			require.ErrorIs(t, err, invoice.ErrCreditTooLarge, "a note without GST counts against the invoice as well")
		})
	}
}

// Documents of every kind on both sides of the year's end in India: each series is numbered separately and restarts.
func TestNumbers_EachSeries_RestartsWithTheFinancialYear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var got []string
	for _, at := range []string{"2027-03-31T18:29:59Z", "2027-03-31T18:30:00Z", "2027-04-01T00:00:00Z"} {
		issued, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		in := b.plan(t, b.asha)
		in.IssuedAt = issued
		original, err := b.issue(t, in)
		require.NoError(t, err)
		note, err := b.credit(t, invoice.CreditNoteInput{
			FranchiserID: b.asha, InvoiceID: original.ID, RefundID: b.refund(t, original, 1_00), Amount: 1_00, IssuedAt: issued,
		})
		require.NoError(t, err)
		advance := b.advance(t, b.ravi, 100_00, "27")
		advance.IssuedAt = issued
		voucher, err := b.receive(t, advance)
		require.NoError(t, err)
		got = append(got, original.Number, note.Number, voucher.Number)
	}
	want := []string{}
	for _, n := range []string{"26-27/000001", "27-28/000001", "27-28/000002"} {
		want = append(want, "FP/"+n, "CN/"+n, "RV/"+n)
	}
	require.Equal(t, want, got)
}

func TestSnapshot_AnyName_IsKeptUnchanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, name := range []string{"श्री गणेश ट्रेडर्स", `Robert'); DROP TABLE invoices;--`, "O\"Neil & <b>Sons</b>", "A 🍬 B", "\\u0041\\n", fmt.Sprintf("%0100d", 7)} {
		in := b.plan(t, b.asha)
		in.Recipient.Name, in.Recipient.Address, in.Lines[0].Description = name, []string{name}, name
		issued, err := b.issue(t, in)
		require.NoError(t, err)
		require.Equal(t, int64(i+1), issued.Sequence)
		read, err := b.service.Find(t.Context(), b.asha, issued.ID)
		require.NoError(t, err)
		require.Equal(t, issued, read)
		require.Equal(t, name, read.Recipient.Name)
	}
}

func TestNumberTx_DocumentOfAnotherFranchiser_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	for _, tc := range []struct{ franchiser, document, want string }{
		{b.asha, issued.ID, "FP/26-27/000001"}, {b.ravi, issued.ID, ""}, {b.asha, id.New(), ""},
	} {
		err := postgres.InTenantTx(t.Context(), b.db.API, tc.franchiser, func(tx *sqlx.Tx) error {
			number, err := invoice.NumberTx(t.Context(), tx, tc.franchiser, tc.document)
			require.Equal(t, tc.want, number)
			return err
		})
		if tc.want == "" {
			require.Equal(t, errs.KindNotFound, errs.KindOf(err))
		} else {
			require.NoError(t, err)
		}
	}
}

// withReturns rebuilds the service, with the moments at which annual returns were filed.
func (b *bundle) withReturns(t *testing.T, filed map[string]time.Time) {
	t.Helper()
	b.service = invoice.NewService(invoice.Options{
		DB: b.db.API, Jobs: testkit.NewInserter(t, b.db.API), Clock: b.clock, Objects: b.shelf, Payments: payment.Lookup{},
		Supplier: supplier(), AnnualReturns: filed,
	})
}
