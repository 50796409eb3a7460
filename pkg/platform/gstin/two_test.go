package gstin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
)

// The web client refuses such a text, too.
func TestNormalise_TwoNumbersJoinedByASign_IsInvalid(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"/", ",", ";", "|"} {
		require.False(t, gstin.Valid(gstin.Normalise("27AAPFU0939F1ZV"+sign+"29AAPFU0939F1ZR")), sign)
	}
}
