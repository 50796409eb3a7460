package payment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestMethodWithin_AmountAtAndAboveUPILimit(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	require.Equal(t, MethodUPI, MethodUPI.within(1_00_000*money.Rupee, at), "the limit itself is allowed")
	require.Equal(t, MethodAny, MethodUPI.within(1_00_000*money.Rupee+1, at))
	require.Equal(t, MethodCard, MethodCard.within(10_00_000*money.Rupee, at))
	require.Equal(t, MethodNetbanking, MethodNetbanking.within(10_00_000*money.Rupee, at))
	require.Equal(t, money.Paise(0), UPILimit(1_00_000*money.Rupee, at))
	require.Equal(t, 1_00_000*money.Rupee, UPILimit(1_00_000*money.Rupee+1, at))
}
