package ledger_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Entries of the bank account and of revenue days name no customer, are posted once under their own reference, and follow accounting
// practice.
func TestEntries_BankAccountAndRevenueDays_NameNoCustomer(t *testing.T) {
	t.Parallel()
	day := func(billed, recognised, credited money.Paise) ledger.Entry {
		return ledger.Recognition(ledger.RevenueDay{Day: "2026-11-24", Billed: billed, Recognised: recognised, Credited: credited, At: testkit.Start()})
	}
	for want, tc := range map[string]struct {
		entry     ledger.Entry
		reference string
	}{
		"Dr bank 500.00 / Cr bank_receipts 500.00": {ledger.BankReceipt("c1", ledger.AccountBank, 500_00, testkit.Start()), "bank_credit/c1"},
		"Dr gateway_clearing 500.00 / Cr bank_receipts 500.00": {
			ledger.BankReceipt("c1", ledger.AccountGatewayClearing, 500_00, testkit.Start()), "bank_credit/c1",
		},
		"Dr bank_receipts 500.00 / Cr bank 500.00": {ledger.BankReturn("u1", 500_00, testkit.Start()), "bank_return/u1"},
		"Dr bank_receipts 7.00 / Cr gateway_clearing 7.00": {
			ledger.BankReceiptDismissed("c1", ledger.AccountGatewayClearing, 7_00, testkit.Start()), "bank_credit_dismissed/c1",
		},
		"Dr revenue 300.00 / Cr deferred_revenue 300.00": {day(300_00, 0, 0), "revenue/2026-11-24"},
		"Dr deferred_revenue 10.00 / Cr revenue 10.00":   {day(0, 10_00, 0), "revenue/2026-11-24"},
		"Dr deferred_revenue 25.00 / Cr refunds 25.00":   {day(0, 0, 25_00), "revenue/2026-11-24"},
		"Dr revenue 300.00, deferred_revenue 10.00, deferred_revenue 25.00 / Cr deferred_revenue 300.00, revenue 10.00, refunds 25.00": {
			day(300_00, 10_00, 25_00), "revenue/2026-11-24",
		},
	} {
		e := tc.entry
		require.Equal(t, want, posting(e))
		require.True(t, balances(e), want)
		require.Equal(t, []any{ledger.KindAdjustment, tc.reference, testkit.Start()}, []any{e.Kind, e.Reference, e.PostedAt}, want)
		require.Empty(t, e.FranchiserID+e.PaymentID+e.InvoiceID, "it is no customer's: %s", want)
		require.NotEmpty(t, e.Description, want)
	}
	require.Empty(t, day(0, 0, 0).Lines, "a day on which nothing happened has no entry")
}

// A customer's deduction is receivable from the tax account instead of money, and a refund reverses it in the same accounts.
func TestDeductedTax_IsReceivableUntilItIsReversed(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]ledger.Entry{
		"Dr bank_receipts 1180.00 / Cr receivable 1180.00":                                                  ledger.TransferCapture(moved(1_180_00), 0, 0),
		"Dr bank_receipts 1080.00, tds_receivable 100.00 / Cr receivable 1180.00":                           ledger.TransferCapture(moved(1_180_00), 100_00, 0),
		"Dr bank_receipts 1160.00, gst_tds_receivable 20.00 / Cr receivable 1180.00":                        ledger.TransferCapture(moved(1_180_00), 0, 20_00),
		"Dr bank_receipts 1060.00, tds_receivable 100.00, gst_tds_receivable 20.00 / Cr receivable 1180.00": ledger.TransferCapture(moved(1_180_00), 100_00, 20_00),
		"Dr customer_credit 1180.00 / Cr bank 1060.00, tds_receivable 100.00, gst_tds_receivable 20.00":     ledger.BankRefund(moved(1_180_00), 100_00, 20_00),
		"Dr customer_credit 1180.00 / Cr tds_receivable 1180.00":                                            ledger.BankRefund(moved(1_180_00), 1_180_00, 0),
		"Dr held_payments 500.00 / Cr receivable 500.00":                                                    ledger.HeldAccepted(moved(500_00)),
		"Dr held_payments 5.00 / Cr customer_credit 5.00":                                                   ledger.HeldSurplus(moved(5_00)),
		"Dr rounding 0.01 / Cr receivable 0.01":                                                             ledger.Rounding(moved(1)),
		"Dr receivable 0.02 / Cr rounding 0.02":                                                             ledger.Rounding(moved(-2)),
	} {
		require.Equal(t, want, posting(e))
		require.True(t, balances(e), want)
		require.Equal(t, "f p r", e.FranchiserID+" "+e.PaymentID+" "+e.Reference)
	}
	require.Equal(t, "Paid by bank transfer: ₹1,160, GST deducted: ₹20", ledger.TransferCapture(moved(1_180_00), 0, 20_00).Description)
	require.False(t, balances(ledger.TransferCapture(moved(1_180_00), 1_180_01, 0)), "more tax than the bill is refused, not turned round")
	require.False(t, balances(ledger.BankRefund(moved(100_00), 60_00, 60_00)))
	require.Empty(t, ledger.Rounding(moved(0)).Lines)
	kinds := map[ledger.Kind]ledger.Entry{
		ledger.KindCapture: ledger.HeldAccepted(moved(1)), ledger.KindExtraCapture: ledger.HeldSurplus(moved(1)), ledger.KindRounding: ledger.Rounding(moved(1)),
		ledger.KindRefund: ledger.BankRefund(moved(1), 0, 0), ledger.KindHeldRelease: ledger.HeldRelease(moved(1)), ledger.KindHeldCapture: ledger.HeldCapture(moved(1)),
	}
	for kind, e := range kinds {
		require.Equal(t, kind, e.Kind)
	}
}

// For any deduction, money and tax add up to the bill, and a refund reverses both to the paisa.
func TestDeductedTax_AnyPart_AddsUpWithTheMoneyToTheBill(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Paise(rapid.Int64Range(3, 1_00_00_000_00).Draw(t, "amount"))
		tds := money.Paise(rapid.Int64Range(0, int64(amount)/3).Draw(t, "tds"))
		gst := money.Paise(rapid.Int64Range(0, int64(amount)/3).Draw(t, "gst"))
		came, back := ledger.TransferCapture(moved(amount), tds, gst), ledger.BankRefund(moved(amount), tds, gst)
		require.True(t, balances(came) && balances(back))
		left := map[ledger.Account]money.Paise{}
		for _, l := range append(came.Lines, back.Lines...) {
			left[l.Account] += l.Debit - l.Credit
		}
		require.Zero(t, left[ledger.AccountTDSReceivable])
		require.Zero(t, left[ledger.AccountGSTTDSReceivable])
		require.Equal(t, amount-tds-gst, left[ledger.AccountBankReceipts])
		require.Equal(t, -(amount - tds - gst), left[ledger.AccountBank])
	})
}

// Invalid entries are refused before any query: a negative side offset by another line, a missing account, an entry without a customer that
// names a customer's payment or document.
func TestPost_InvalidEntry_IsRefusedBeforeAnyQuery(t *testing.T) {
	t.Parallel()
	books := ledger.NewService(&sqlx.DB{}, testkit.NewClock())
	good := []ledger.Line{ledger.Debit(ledger.AccountBank, 5), ledger.Credit(ledger.AccountFees, 5)}
	for name, tc := range map[string]struct {
		change func(e *ledger.Entry)
		want   error
	}{
		"a credit below zero": {func(e *ledger.Entry) {
			e.Lines = []ledger.Line{ledger.Credit(ledger.AccountBank, -5), ledger.Credit(ledger.AccountFees, 5)}
		}, ledger.ErrBadEntry},
		"a debit below zero": {func(e *ledger.Entry) {
			e.Lines = []ledger.Line{ledger.Debit(ledger.AccountBank, -5), ledger.Debit(ledger.AccountFees, 5)}
		}, ledger.ErrBadEntry},
		"no account on the credit":    {func(e *ledger.Entry) { e.Lines = []ledger.Line{good[0], ledger.Credit("", 5)} }, ledger.ErrBadEntry},
		"a line of nothing":           {func(e *ledger.Entry) { e.Lines = append(e.Lines[:2:2], ledger.Debit(ledger.AccountBank, 0)) }, ledger.ErrBadEntry},
		"a paisa off in three lines":  {func(e *ledger.Entry) { e.Lines = append(e.Lines[:2:2], ledger.Debit(ledger.AccountBank, 1)) }, ledger.ErrUnbalanced},
		"no customer, but a payment":  {func(e *ledger.Entry) { e.FranchiserID, e.PaymentID = "", "p" }, ledger.ErrBadEntry},
		"no customer, but a document": {func(e *ledger.Entry) { e.FranchiserID, e.InvoiceID = "", "i" }, ledger.ErrBadEntry},
		"a sale without a customer":   {func(e *ledger.Entry) { e.FranchiserID, e.Kind = "", ledger.KindSale }, ledger.ErrBadEntry},
		"without a name":              {func(e *ledger.Entry) { e.Reference = "" }, ledger.ErrBadEntry},
	} {
		e := ledger.Entry{FranchiserID: "f", Kind: ledger.KindAdjustment, Reference: "A1", Description: "Test", Lines: good}
		tc.change(&e)
		require.ErrorIs(t, books.PostTx(t.Context(), nil, e), tc.want, name)
	}
}
