package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// A payment is held for its amount or its currency, and for nothing else.
func TestHeldPayment_NamesTheWrongAmountOrCurrency(t *testing.T) {
	t.Parallel()
	require.Equal(t, "₹9 came, ₹10 was due: ₹1 is missing.", payment.HeldWrong(9*money.Rupee, 10*money.Rupee))
	require.Equal(t, "₹11 came, ₹10 was due: ₹1 too much.", payment.HeldWrong(11*money.Rupee, 10*money.Rupee))
	require.Equal(t, "It came in another currency.", payment.HeldWrong(10*money.Rupee, 10*money.Rupee))
}
