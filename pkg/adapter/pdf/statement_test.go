package pdf_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/bookexport"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// The statement opens and closes with its balances, has each entry with the balance after it, repeats its heading on further pages, and has
// the same bytes each time. STATEMENT_PDF=file keeps the file for viewing.
func TestRenderStatement_HasChargesPaymentsAndBalances(t *testing.T) {
	t.Parallel()
	supplier := document(t, "29", planLine()).Supplier
	of := bookexport.Statement{
		Supplier: supplier, Recipient: invoice.Recipient{Name: "Asha Sweets LLP", GSTIN: "29AAPFU0939F1ZR", StateCode: "29"}, At: at(),
		First: subscription.NewDay(2026, 10, 1), Last: subscription.NewDay(2026, 11, 2),
		Statement: ledger.Statement{Opening: 500_00, Closing: -250_50, Lines: []ledger.StatementLine{
			{At: at(), Description: "Invoice F/26-27/000007", Charge: 1_59_300_00, Balance: 1_59_800_00},
			{At: at(), Description: strings.Repeat("Paid by bank transfer ", 12), Credit: 1_60_050_50, Balance: -250_50},
		}},
	}
	body, err := setup(t).RenderStatement(of)
	require.NoError(t, err)
	again, err := setup(t).RenderStatement(of)
	require.NoError(t, err)
	require.Equal(t, body, again)
	require.Equal(t, 1, pagesOf(body))
	text := strings.Join(strings.Fields(textOf(t, body)), " ")
	for _, says := range []string{
		"Statement of account", "1 Oct 2026", "₹500.00 due", "₹250.50 in credit", "Asha Sweets LLP", "Invoice F/26-27/000007", "1,59,300.00",
		"1,60,050.50", "−250.50", "Opening balance", "Closing balance",
	} {
		require.Contains(t, text, says)
	}
	require.NotContains(t, text, "rule 46")
	if file := os.Getenv("STATEMENT_PDF"); file != "" {
		require.NoError(t, os.WriteFile(file, body, 0o600))
	}
	for len(of.Lines) < 80 {
		of.Lines = append(of.Lines, of.Lines[0])
	}
	of.Recipient, of.Closing = invoice.Recipient{Name: "Customer"}, money.Paise(0)
	body, err = setup(t).RenderStatement(of)
	require.NoError(t, err)
	require.Greater(t, pagesOf(body), 2)
	require.NotContains(t, textOf(t, body), "State: Karnataka")
	require.Contains(t, strings.Join(strings.Fields(textOf(t, body)), " "), "Statement of account 1 Oct 2026 to 2 Nov 2026", "the heading of a further page")
}

// The statement of a customer with Hindi documents has Hindi too, with the same amounts.
func TestRenderStatement_TwoLanguages_HaveTheSameAmounts(t *testing.T) {
	t.Parallel()
	of := bookexport.Statement{
		Supplier: document(t, "29", planLine()).Supplier, Recipient: invoice.Recipient{Name: "Asha Sweets LLP", StateCode: "29", Also: "hi"}, At: at(),
		First: subscription.NewDay(2026, 10, 1), Last: subscription.NewDay(2026, 11, 2),
		Statement: ledger.Statement{Opening: 500_00, Closing: -250_50, Lines: []ledger.StatementLine{
			{At: at(), Description: "Invoice F/26-27/000007", Charge: 1_59_300_00, Balance: 1_59_800_00},
			{At: at(), Description: "Payment captured", Credit: 1_60_050_50, Balance: -250_50},
		}},
	}
	body, err := setup(t).RenderStatement(of)
	require.NoError(t, err)
	text := strings.Join(strings.Fields(textOf(t, body)), " ")
	for _, says := range []string{
		"Statement of account", "खाते का विवरण", "₹500.00 due / बकाया", "₹250.50 in credit / आपके खाते में जमा", "शुरुआती बकाया", "अंतिम बकाया",
		"Invoice F/26-27/000007 / इनवॉइस", "क्या बना और क्या चुकाया", "Payment captured / भुगतान मिला", "भुगतान या जमा", "30 दिन में हमें बताएँ",
	} {
		require.Contains(t, text, says)
	}
	of.Recipient.Also = ""
	english, err := setup(t).RenderStatement(of)
	require.NoError(t, err)
	require.Equal(t, amounts(textOf(t, english)), amounts(textOf(t, body)))
	if file := os.Getenv("STATEMENT_PDF"); file != "" {
		require.NoError(t, os.WriteFile(file+".hi.pdf", body, 0o600))
	}
}
