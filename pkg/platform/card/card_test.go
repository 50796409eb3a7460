package card_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/card"
)

func TestCardNumbersAreFoundAndNothingElseIs(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "378282246310005", "3782 822463 10005", "30569309025904",
		"6074 8200 0000 0009", "6521111111111110", "5555555555554444", "Charge my card 4111 1111 1111 1111, please.", "(4111111111111111)",
		"403993715531077182 is not, but 4111111111111111 is",
	} {
		require.True(t, card.In(text), text)
	}
	for _, text := range []string{
		"", "4111111111111112", "411111XXXXXX1111", "9876543210", "27AAPFU0939F1ZV", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50",
		"FP/26-27/000001", "403993715531077182", "SBIN0004111111111111111", "1234567890123452", "0000000000000000",
		"9876543210 411001", "159300.00", "4111 1111 1111", "99999999999999999999999999",
	} {
		require.False(t, card.In(text), text)
	}
}
