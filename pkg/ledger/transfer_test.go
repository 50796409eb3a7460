package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
)

// The text of a payment by transfer less deducted tax names the money and the tax separately.
func TestStatement_TransferLessDeductedTax_NamesMoneyAndTax(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Paid by bank transfer", ledger.TransferCapture(moved(159_300_00), 0, 0).Description)
	require.Equal(t, "Paid by bank transfer: ₹1,45,800, income tax deducted (TDS): ₹13,500",
		ledger.TransferCapture(moved(159_300_00), 13_500_00, 0).Description)
	require.Equal(t, "Paid by bank transfer: ₹1,53,900, income tax deducted (TDS): ₹2,700, GST deducted: ₹2,700",
		ledger.TransferCapture(moved(159_300_00), 2_700_00, 2_700_00).Description)
}
