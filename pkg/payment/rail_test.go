package payment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestMethodWithin_AmountAtAndAboveUPILimit(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	require.Equal(t, payment.MethodUPI, payment.MethodUPI.Within(1_00_000*money.Rupee, at), "the limit itself is allowed")
	require.Equal(t, payment.MethodAny, payment.MethodUPI.Within(1_00_000*money.Rupee+1, at))
	require.Equal(t, payment.MethodCard, payment.MethodCard.Within(10_00_000*money.Rupee, at))
	require.Equal(t, payment.MethodNetbanking, payment.MethodNetbanking.Within(10_00_000*money.Rupee, at))
	require.Equal(t, money.Paise(0), payment.UPILimit(1_00_000*money.Rupee, at))
	require.Equal(t, 1_00_000*money.Rupee, payment.UPILimit(1_00_000*money.Rupee+1, at))
}
