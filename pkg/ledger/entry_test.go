package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// moved returns a movement with every field set.
func moved(amount money.Paise) ledger.Movement {
	return ledger.Movement{FranchiserID: "f", PaymentID: "p", Reference: "r", Amount: amount, At: testkit.Start()}
}

// document returns an invoice of the amount before tax, at 18 %, from Maharashtra to the State.
func document(t require.TestingT, state invoice.StateCode, amount money.Paise) invoice.Invoice {
	_, totals, err := invoice.Compute(invoice.RegimeOf("27", state, false),
		[]invoice.LineInput{{Description: "Plan", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: amount}})
	require.NoError(t, err)
	return invoice.Invoice{
		ID: "i", FranchiserID: "f", PaymentID: "p", Number: "FP/26-27/000001", IssuedAt: testkit.Start(), Totals: totals,
	}
}

// owed returns the tax of a credit note by head.
func owed(cgst, sgst, utgst, igst money.Paise) ledger.OwedTax {
	return ledger.OwedTax{
		FranchiserID: "f", PaymentID: "p", InvoiceID: "i", Number: "FC/26-27/000001", Reference: "r", At: testkit.Start(),
		Tax: invoice.Tax{CGST: cgst, SGST: sgst, UTGST: utgst, IGST: igst},
	}
}

// posting formats an entry as an accountant writes it.
func posting(e ledger.Entry) string {
	var debits, credits []string
	for _, l := range e.Lines {
		if l.Debit != 0 {
			debits = append(debits, fmt.Sprintf("%s %d.%02d", l.Account, l.Debit/100, l.Debit%100))
		} else {
			credits = append(credits, fmt.Sprintf("%s %d.%02d", l.Account, l.Credit/100, l.Credit%100))
		}
	}
	return "Dr " + strings.Join(debits, ", ") + " / Cr " + strings.Join(credits, ", ")
}

// balances reports whether debits equal credits and each line has one positive side.
func balances(e ledger.Entry) bool {
	var sum money.Paise
	for _, l := range e.Lines {
		if l.Debit < 0 || l.Credit < 0 || (l.Debit == 0) == (l.Credit == 0) {
			return false
		}
		sum += l.Debit - l.Credit
	}
	return len(e.Lines) > 1 && sum == 0
}

// entries returns every kind of entry once, keyed by its posting as an accountant would write it.
func entries(t *testing.T) map[string]ledger.Entry {
	t.Helper()
	home, abroad := document(t, "27", 1_35_000_00), document(t, "29", 1_000_00)
	return map[string]ledger.Entry{
		"Dr receivable 159300.00 / Cr revenue 135000.00, output_cgst 12150.00, output_sgst 12150.00":              ledger.Sale(home),
		"Dr receivable 1180.00 / Cr revenue 1000.00, output_igst 180.00":                                          ledger.Sale(abroad),
		"Dr refunds 135000.00, output_cgst 12150.00, output_sgst 12150.00 / Cr customer_credit 159300.00":         ledger.CreditNote(home),
		"Dr gateway_clearing 500.00 / Cr receivable 500.00":                                                       ledger.Capture(moved(500_00)),
		"Dr gateway_clearing 500.00 / Cr customer_credit 500.00":                                                  ledger.ExtraCapture(moved(500_00)),
		"Dr gateway_clearing 500.00 / Cr held_payments 500.00":                                                    ledger.HeldCapture(moved(500_00)),
		"Dr held_payments 500.00 / Cr customer_credit 500.00":                                                     ledger.HeldRelease(moved(500_00)),
		"Dr customer_credit 500.00 / Cr gateway_clearing 500.00":                                                  ledger.Refund(moved(500_00)),
		"Dr customer_credit 0.01 / Cr gateway_clearing 0.01":                                                      ledger.Chargeback(moved(1)),
		"Dr chargebacks 500.00 / Cr gateway_clearing 500.00":                                                      ledger.ChargebackLoss(moved(500_00)),
		"Dr customer_credit 500.00 / Cr receivable 500.00":                                                        ledger.CreditApplied(moved(500_00)),
		"Dr chargebacks 500.00 / Cr customer_credit 500.00":                                                       ledger.RefundLoss(moved(500_00)),
		"Dr customer_credit 500.00 / Cr bank 500.00":                                                              ledger.BankRefund(moved(500_00), 0, 0),
		"Dr bank 488.20, fees 10.00, input_tax 1.80 / Cr gateway_clearing 500.00":                                 ledger.Settlement(moved(500_00), 10_00, 1_80),
		"Dr bank 500.00 / Cr gateway_clearing 500.00":                                                             ledger.Settlement(moved(500_00), 0, 0),
		"Dr fees 600.00, input_tax 108.00 / Cr bank 208.00, gateway_clearing 500.00":                              ledger.Settlement(moved(500_00), 600_00, 108_00),
		"Dr bank 511.80 / Cr fees 10.00, input_tax 1.80, gateway_clearing 500.00":                                 ledger.Settlement(moved(500_00), -10_00, -1_80),
		"Dr fees 2.00, input_tax 0.36, gateway_clearing 500.00 / Cr bank 502.36":                                  ledger.RefundSettlement(moved(500_00), 2_00, 36),
		"Dr fees 300.00, input_tax 54.00, gateway_clearing 500.00 / Cr bank 854.00":                               ledger.ChargebackSettlement(moved(500_00), 300_00, 54_00),
		"Dr bank 499.00, fees 1.00 / Cr gateway_clearing 500.00":                                                  ledger.ReturnSettlement(moved(500_00), 1_00, 0),
		"Dr fees 100.00, input_tax 18.00 / Cr bank 118.00":                                                        ledger.AdjustmentSettlement(moved(0), 100_00, 18_00),
		"Dr bank 50.00 / Cr gateway_adjustments 50.00":                                                            ledger.AdjustmentSettlement(moved(50_00), 0, 0),
		"Dr gateway_adjustments 50.00 / Cr bank 50.00":                                                            ledger.AdjustmentSettlement(moved(-50_00), 0, 0),
		"Dr tax_not_recovered 180.00 / Cr output_igst 180.00":                                                     ledger.InputTaxRefused(owed(0, 0, 0, 180_00)),
		"Dr output_cgst 90.00, output_utgst 90.00 / Cr tax_not_recovered 180.00":                                  ledger.InputTaxRestored(owed(90_00, 0, 90_00, 0)),
		"Dr tax_not_recovered 10.00 / Cr output_cgst 1.00, output_sgst 2.00, output_utgst 3.00, output_igst 4.00": ledger.InputTaxRefused(owed(1_00, 2_00, 3_00, 4_00)),
		"Dr output_cgst 90.00, output_sgst 90.00 / Cr tax_not_recovered 180.00":                                   ledger.InputTaxRestored(owed(90_00, 90_00, 0, 0)),
	}
}

func TestEntries_EachEvent_DebitAndCreditItsAccounts(t *testing.T) {
	t.Parallel()
	seen := map[ledger.Kind]bool{}
	for want, e := range entries(t) {
		require.Equal(t, want, posting(e))
		require.True(t, balances(e), want)
		require.NotEmpty(t, e.Description, want)
		require.Equal(t, testkit.Start(), e.PostedAt, "a late line is dated by when it happened: %s", want)
		require.NotEmpty(t, e.Reference, want)
		if e.Kind == ledger.KindAdjustment {
			require.Empty(t, e.FranchiserID+e.PaymentID+e.InvoiceID, "an adjustment is no customer's")
		} else {
			require.Equal(t, "f p", e.FranchiserID+" "+e.PaymentID, want)
		}
		seen[e.Kind] = true
	}
	require.Len(t, seen, 16, "every kind of the journal is posted by some event: %v", seen)
}

// A reversal cancels its event to the paisa.
func TestEntries_Reversal_CancelsTheOriginal(t *testing.T) {
	t.Parallel()
	m, tax := moved(500_00), owed(90_01, 89_99, 0, 7)
	for name, pair := range map[string][2]ledger.Entry{
		"sold and credited":     {ledger.CreditApplied(m), {Lines: []ledger.Line{ledger.Debit(ledger.AccountReceivable, 500_00), ledger.Credit(ledger.AccountCustomerCredit, 500_00)}}},
		"refused and restored":  {ledger.InputTaxRefused(tax), ledger.InputTaxRestored(tax)},
		"captured and refunded": {ledger.ExtraCapture(m), ledger.Refund(m)},
		"settled and kept back": {ledger.Settlement(m, 10_00, 1_80), ledger.RefundSettlement(m, -10_00, -1_80)},
		"kept and paid again":   {ledger.ChargebackSettlement(m, 3_00, 54), ledger.ReturnSettlement(m, -3_00, -54)},
		"taken and added":       {ledger.AdjustmentSettlement(moved(-7), 0, 0), ledger.AdjustmentSettlement(moved(7), 0, 0)},
	} {
		left := map[ledger.Account]money.Paise{}
		for _, l := range slices.Concat(pair[0].Lines, pair[1].Lines) {
			left[l.Account] += l.Debit - l.Credit
		}
		for account, sum := range left {
			require.Zero(t, sum, "%s: %s", name, account)
		}
	}
}

func TestEntries_AnyDocumentOrMovement_Balance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Paise(rapid.Int64Range(1, 50_00_00_000_00).Draw(t, "amount"))
		state := invoice.StateCode(rapid.SampledFrom([]string{"27", "29", "04", "07", "97"}).Draw(t, "state"))
		doc := document(t, state, amount)
		require.True(t, balances(ledger.Sale(doc)))
		require.True(t, balances(ledger.CreditNote(doc)))
		require.Equal(t, ledger.Sale(doc).Lines[0].Debit, ledger.CreditNote(doc).Lines[len(ledger.CreditNote(doc).Lines)-1].Credit)

		fee := money.Paise(rapid.Int64Range(-10_000_00, 10_000_00).Draw(t, "fee"))
		tax := money.Paise(rapid.Int64Range(-1_800_00, 1_800_00).Draw(t, "tax"))
		for _, e := range []ledger.Entry{
			ledger.Settlement(moved(amount), fee, tax), ledger.RefundSettlement(moved(amount), fee, tax),
			ledger.ChargebackSettlement(moved(amount), fee, tax), ledger.ReturnSettlement(moved(amount), fee, tax),
			ledger.AdjustmentSettlement(moved(amount), fee, tax), ledger.AdjustmentSettlement(moved(-amount), fee, tax),
		} {
			require.True(t, balances(e), "%s", posting(e))
		}
	})
}

// A zero or negative amount never becomes an entry that can be posted.
func TestEntries_ZeroOrNegativeAmount_CannotBePosted(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(ledger.Movement) ledger.Entry{
		"capture": ledger.Capture, "extra": ledger.ExtraCapture, "held": ledger.HeldCapture, "released": ledger.HeldRelease,
		"refund": ledger.Refund, "chargeback": ledger.Chargeback, "loss": ledger.ChargebackLoss, "applied": ledger.CreditApplied,
		"refund loss": ledger.RefundLoss, "bank refund": func(m ledger.Movement) ledger.Entry { return ledger.BankRefund(m, 0, 0) },
	} {
		require.False(t, balances(make(moved(-1))), name)
		require.Empty(t, make(moved(0)).Lines, "%s of nothing has no line, which is refused", name)
	}
}

func TestNet_EachAccountType_IsPositiveOnItsNormalSide(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]money.Paise{"asset": 70, "expense": 70, "liability": -70, "income": -70} {
		require.Equal(t, want, ledger.Balance{Type: kind, Debit: 100, Credit: 30}.Net(), kind)
	}
	require.True(t, ledger.Report{}.Clean())
	require.True(t, ledger.Report{Unbooked: []ledger.Payout{{Open: 1}}}.Clean(), "what is not settled yet is no fault of the books")
	require.False(t, ledger.Report{Findings: []ledger.Finding{{Check: "x"}}}.Clean())
}

// The chart of accounts has the same accounts in the database and in the code, each with the same normal side.
func TestChartOfAccounts_MatchesTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	chart, err := b.audit.TrialBalance(t.Context())
	require.NoError(t, err)
	kinds := map[ledger.Account]string{}
	for _, row := range chart {
		require.Zero(t, row.Debit+row.Credit, "an account that nothing was posted to is listed with nothing")
		require.NotEmpty(t, row.Name)
		kinds[row.Account] = row.Type
	}
	require.Equal(t, map[ledger.Account]string{
		ledger.AccountRounding:   "expense",
		ledger.AccountReceivable: "asset", ledger.AccountGatewayClearing: "asset", ledger.AccountBank: "asset", ledger.AccountInputTax: "asset",
		ledger.AccountCustomerCredit: "liability", ledger.AccountHeldPayments: "liability", ledger.AccountOutputCGST: "liability",
		ledger.AccountOutputSGST: "liability", ledger.AccountOutputUTGST: "liability", ledger.AccountOutputIGST: "liability",
		ledger.AccountRevenue: "income", ledger.AccountRefunds: "income", ledger.AccountFees: "expense", ledger.AccountChargebacks: "expense",
		ledger.AccountGatewayAdjustments: "expense", ledger.AccountTaxNotRecovered: "expense",
		ledger.AccountBankReceipts: "liability", ledger.AccountTDSReceivable: "asset", ledger.AccountGSTTDSReceivable: "asset", ledger.AccountDeferredRevenue: "liability",
	}, kinds)

	// the database accepts every event
	n := 0
	for what, e := range entries(t) {
		n++
		e.FranchiserID, e.PaymentID, e.InvoiceID, e.Reference = b.asha, "", "", time.Duration(n).String()
		require.NoError(t, b.post(b.asha, e), what)
	}
	report, err := b.audit.Verify(t.Context())
	require.NoError(t, err)
	require.Equal(t, report.Debit, report.Credit)
	for _, f := range report.Findings {
		require.NotContains(t, []string{"journal_balances", "debits_equal_credits"}, f.Check)
	}
}

// Every entry of a customer's statement has a translation.
func TestStatement_EntryTexts_AreTranslated(t *testing.T) {
	t.Parallel()
	m, doc := moved(100_00), document(t, "27", 100_00)
	for _, e := range []ledger.Entry{
		ledger.Sale(doc), ledger.CreditNote(doc), ledger.Capture(m), ledger.ExtraCapture(m), ledger.Refund(m), ledger.Chargeback(m), ledger.ChargebackLoss(m),
		ledger.CreditApplied(m), ledger.RefundLoss(m), ledger.BankRefund(m, 0, 0), ledger.HeldCapture(m), ledger.HeldRelease(m), ledger.HeldAccepted(m),
		ledger.HeldSurplus(m), ledger.Rounding(m), ledger.TransferCapture(m, 0, 0),
		ledger.TransferCapture(m, 10_00, 0), ledger.TransferCapture(m, 0, 2_00), ledger.TransferCapture(m, 10_00, 2_00),
	} {
		for _, l := range i18n.Languages() {
			if said := l.Resay(e.Description, ledger.EntryTexts()); l != i18n.English {
				require.NotEqual(t, e.Description, said, string(l))
			}
		}
	}
}
