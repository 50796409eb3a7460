package credential

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
)

func TestRecoveryCodes_AreDistinctAndReadable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 20 {
		codes := newRecoveryCodes()
		require.Len(t, codes, 10)
		for _, c := range codes {
			require.Regexp(t, `^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$`, c, "120 bits, as people read them aloud")
			require.False(t, seen[c])
			seen[c] = true
			require.False(t, account.IsSixDigits(c), "never taken for a code of the app")
		}
	}
}
