package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestAmountInWords_Hindi(t *testing.T) {
	t.Parallel()
	for amount, want := range map[money.Paise]string{
		0:                  "शून्य रुपये मात्र",
		1:                  "शून्य रुपये और एक पैसे मात्र",
		100:                "एक रुपये मात्र",
		1_59_300_00:        "एक लाख उनसठ हज़ार तीन सौ रुपये मात्र",
		14_750_50:          "चौदह हज़ार सात सौ पचास रुपये और पचास पैसे मात्र",
		12_34_56_789_00:    "बारह करोड़ चौंतीस लाख छप्पन हज़ार सात सौ नवासी रुपये मात्र",
		1_000_00_00_000_00: "एक हज़ार करोड़ रुपये मात्र",
		10_00_001_99:       "दस लाख एक रुपये और निन्यानवे पैसे मात्र",
	} {
		require.Equal(t, want, wordsIn("hi", amount))
	}
}
