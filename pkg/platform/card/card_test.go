package card_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/card"
)

func TestFind_OnlyCardNumbers(t *testing.T) {
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

// A card number is found next to other numbers, even if the one before it looks like its beginning.
func TestFind_CardNextToOtherNumbers_IsFound(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"order 5678 4111 1111 1111 1111":          "order 5678 (4111 1111 1111 1111)",
		"4111 1111 1111 1112 4111 1111 1111 1111": "4111 1111 1111 1112 (4111 1111 1111 1111)",
		"2345-5678-4111-1111-1111-1111 4222":      "2345-5678-(4111-1111-1111-1111) 4222",
		"4111111111111111, 378282246310005":       "(4111111111111111), (378282246310005)",
		"4111 1111 1111 1111 12/27":               "(4111 1111 1111 1111) 12/27",
		"9876543210 4111 1111 1111":               "9876543210 4111 1111 1111",
		"x4111111111111111 _4111111111111111":     "x4111111111111111 _4111111111111111",
		"६०७४ 6074 8200 0000 0009 देखिए":          "६०७४ (6074 8200 0000 0009) देखिए",
		"": "", "2222": "2222", "2222 ": "2222 ",
	} {
		require.Equal(t, want, card.Replace(given, func(number string) string { return "(" + number + ")" }), given)
		require.Equal(t, given != want, card.In(given), given)
	}
}

// The networks' own test numbers, and each with one digit changed, which Luhn's digit finds.
func TestFind_OneWrongDigit_IsNoCard(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"4111111111111111", "4012888888881881", "5555555555554444", "5105105105105100", "378282246310005", "371449635398431", "30569309025904", "38520000023237",
		"6011111111111117", "3530111333300000", "6074820000000009",
	} {
		require.True(t, card.Checked(number), number)
		for i := range number {
			wrong := number[:i] + string('0'+(number[i]-'0'+1)%10) + number[i+1:]
			require.False(t, card.Checked(wrong), wrong)
		}
	}
	require.True(t, card.Checked("3782-822463 10005"), "as printed")
}
