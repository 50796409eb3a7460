package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// The deduction at each rate, in whole rupees as deductors round it, half up.
func TestDeductible_EachRate_IsInWholeRupees(t *testing.T) {
	t.Parallel()
	for taxable, want := range map[money.Paise][3]money.Paise{
		1_35_000_00: {1_350_00, 2_700_00, 13_500_00}, 12_500_00: {125_00, 250_00, 1_250_00}, 149_00: {1_00, 3_00, 15_00}, 150_00: {2_00, 3_00, 15_00},
		49_00: {0, 1_00, 5_00}, 1: {0, 0, 0}, 0: {0, 0, 0},
		49_99: {0, 1_00, 5_00}, 149_99: {1_00, 3_00, 15_00}, 24_99: {0, 0, 2_00}, 74_99: {1_00, 1_00, 7_00}, // rounded once: 49.99 paise are no half rupee
	} {
		list := transfer.Proforma{Taxable: taxable}.Deductibles()
		require.Equal(t, []transfer.Deductible{{100, want[0]}, {200, want[1]}, {1000, want[2]}}, list, taxable)
	}
	require.Equal(t, "PF-26-27-000001.pdf", transfer.Proforma{Number: "PF/26-27/000001"}.Filename())
}

// A bill can be cancelled while it may be paid and has received nothing. The returnable amount of a credit is its unused part and its parts
// in unpaid bills.
func TestCancellableAndReturnable_EachState(t *testing.T) {
	t.Parallel()
	for state, want := range map[transfer.State]bool{transfer.StateOpen: true, transfer.StateExpired: true, transfer.StatePaid: false, transfer.StateCancelled: false, "": false} {
		require.Equal(t, want, transfer.Proforma{State: state}.Cancellable(), state)
		require.False(t, transfer.Proforma{State: state, Received: 1}.Cancellable(), state)
		require.False(t, transfer.Proforma{State: state, Busy: true}.Cancellable(), state)
	}
	c := transfer.BankCredit{State: transfer.CreditOpen, Amount: 1_000, Used: 600, Held: 250}
	require.Equal(t, []money.Paise{400, 650}, []money.Paise{c.Rest(), c.Returnable()})
	c.State = transfer.CreditUsed
	require.Equal(t, money.Paise(650), c.Returnable())
	c.State = transfer.CreditDismissed
	require.Zero(t, c.Returnable(), "what was dismissed never came")
	for name, account := range map[string]transfer.Account{
		"no number": {IFSC: "HDFC0000360", Beneficiary: "F"}, "no IFSC": {Number: "1", Beneficiary: "F"}, "nobody": {Number: "1", IFSC: "HDFC0000360"},
	} {
		require.False(t, account.Usable(), name)
	}
	require.True(t, transfer.Account{Number: "1", IFSC: "HDFC0000360", Beneficiary: "F"}.Usable())
}
