package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// A payment is held for its amount or its currency, and for nothing else.
func TestHeldPayment_NamesTheWrongAmountOrCurrency(t *testing.T) {
	t.Parallel()
	require.Equal(t, "₹9 came, ₹10 was due: ₹1 is missing.", desk.HeldWrong(9*money.Rupee, 10*money.Rupee))
	require.Equal(t, "₹11 came, ₹10 was due: ₹1 too much.", desk.HeldWrong(11*money.Rupee, 10*money.Rupee))
	require.Equal(t, "It came in another currency.", desk.HeldWrong(10*money.Rupee, 10*money.Rupee))
}

func TestWaitingMoney_FailedRefund_SaysWhyAndWhatStaffDo(t *testing.T) {
	t.Parallel()
	const transfer = "Transfer it, and book the transfer with its UTR on the customer's page."
	taken := "The plan ended because a bank took back another payment. Refund the unused part of this one."
	for name, of := range map[string]struct{ gateway, failure, wrong, toDo string }{
		"the gateway refused it": {
			"payu", "The card is closed.", "The refund failed: The card is closed.", "Ask for it again, or pay it by bank transfer and book that, on the customer's page.",
		},
		"the gateway gave no reason": {"payu", "", "The refund failed.", "Ask for it again, or pay it by bank transfer and book that, on the customer's page."},
		"a bank took back another payment": {
			"payu", taken, "The plan ended because a bank took back another payment.", "Refund the unused part, or pay it by bank transfer and book that, on the customer's page.",
		},
		"a bank took back another payment than this bank transfer": {payment.GatewayBank, taken, "The plan ended because a bank took back another payment.", transfer},
		"the customer paid by bank transfer": {
			payment.GatewayBank, "It was paid by bank transfer. Transfer it back and book the transfer with its UTR.",
			"The customer paid it by bank transfer, so no gateway can refund it.", transfer,
		},
		"earlier invoices paid it": {
			"payu", "Earlier invoices paid it by set-off. Transfer it and book the transfer with its UTR.",
			"Earlier invoices paid it by set-off, so no gateway can refund it.", transfer,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := desk.WaitingMoney{
				Kind: desk.MoneyRefund, Failure: of.failure, ByHand: refund.StaffTransfer(of.gateway, of.failure),
			}.Work()
			require.Equal(t, []string{of.wrong, of.toDo}, []string{item.Wrong, item.ToDo})
		})
	}
}
